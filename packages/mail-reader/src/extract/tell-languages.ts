// Detects the languages of a mail, so that a word of one is not taken for a word of another: "usa" is an imperative in
// Spanish and a country in "WA, USA 98052". Only languages in Latin letters need it; others share no words with them.
import { functionWords } from './words/function-words.ts';

/** One bit per language in Latin letters. */
export type Languages = number;

export const anyLanguage: Languages = -1;
const names = Object.keys(functionWords);
/** How much is read: languages show early. */
const readMax = 1600;
/** The least weight of words unique to a language that counts. */
const least = 1.5;
/** A language with this share of the first one's weight counts too. */
const share = 0.45;
const leastShare = 0.5;
const latinWord = /[a-z\u00df-\u024f\u1ea0-\u1ef9]{1,12}/g;
const latinLetter = /[a-z\u00df-\u024f\u1ea0-\u1ef9]/;
const otherLetter = /[\u0370-\u1e9f\u1f00-\u1fff\u3040-\ud7af]/;

let languagesOf: ReadonlyMap<string, Languages> | undefined;

/** Returns the bit of a language by its name; all bits for one in other letters. */
export function languageBit(name: string): Languages {
  const at = names.indexOf(name);
  return at < 0 ? anyLanguage : 1 << at;
}

/** Returns the languages of folded texts; all of them if they reveal too little. */
export function tellLanguages(folded: readonly string[]): Languages {
  languagesOf ??= indexWords();
  const seen = new Set<string>();
  const scores = new Float64Array(names.length);
  let left = readMax;
  for (const text of folded) {
    for (const word of text.slice(0, left).match(latinWord) ?? []) {
      const languages = languagesOf.get(word);
      if (languages === undefined || seen.has(word)) continue;
      seen.add(word);
      addWord(scores, languages);
    }
    left -= Math.min(left, text.length);
  }
  const top = Math.max(...scores);
  if (top < least) return isForeign(folded) ? languageBit('en') : anyLanguage;
  let languages = 0;
  scores.forEach((score, i) => {
    if (score >= top * share && score >= leastShare) languages |= 1 << i;
  });
  return languages;
}

/** Mostly in other letters. */
function isForeign(folded: readonly string[]): boolean {
  let others = 0;
  for (const text of folded) {
    const read = text.slice(0, readMax);
    others += read.split(otherLetter).length - read.split(latinLetter).length;
  }
  return others > 0;
}

function addWord(scores: Float64Array, languages: Languages): void {
  if (languages === 0) return;
  let shared = 0;
  for (let bits = languages; bits !== 0; bits &= bits - 1) shared++;
  for (let i = 0; i < scores.length; i++) {
    if (languages & (1 << i)) scores[i] = (scores[i] ?? 0) + 1 / shared;
  }
}

function indexWords(): ReadonlyMap<string, Languages> {
  const words = new Map<string, Languages>();
  for (const [name, list] of Object.entries(functionWords)) {
    for (const word of list.split(' ')) words.set(word, (words.get(word) ?? 0) | languageBit(name));
  }
  return words;
}
