// Tells in which languages a mail is written, so that a word of one is not taken for a word of another: "usa" asks
// to use something in Spanish, and is a country in "WA, USA 98052". Called by find-codes.ts once for each mail.
// Only languages in Latin letters need it: the others do not share words with them.
import { FUNCTION_WORDS } from './words/function-words.ts';

/** One bit for each language in Latin letters. */
export type Languages = number;

export const ANY_LANGUAGE: Languages = -1;
const NAMES = Object.keys(FUNCTION_WORDS);
/** So much is read: the languages of a mail show at once. */
const MAX_READ = 1600;
/** Less than this, in words that no other language has, tells nothing. */
const LEAST = 1.5;
/** A language with so much of what the first has is spoken as well. */
const SHARE = 0.45;
const LEAST_SHARE = 0.5;
const LATIN_WORD = /[a-z\u00df-\u024f\u1ea0-\u1ef9]{1,12}/g;
const LATIN_LETTER = /[a-z\u00df-\u024f\u1ea0-\u1ef9]/;
const OTHER_LETTER = /[\u0370-\u1e9f\u1f00-\u1fff\u3040-\ud7af]/;

let languagesOf: ReadonlyMap<string, Languages> | undefined;

/** The bit of a language by its name; every bit for one in other letters. */
export function languageBit(name: string): Languages {
  const at = NAMES.indexOf(name);
  return at < 0 ? ANY_LANGUAGE : 1 << at;
}

/** The languages of folded texts; any if they say too little. */
export function tellLanguages(folded: readonly string[]): Languages {
  languagesOf ??= indexWords();
  const seen = new Set<string>();
  const scores = new Float64Array(NAMES.length);
  let left = MAX_READ;
  for (const text of folded) {
    for (const word of text.slice(0, left).match(LATIN_WORD) ?? []) {
      const languages = languagesOf.get(word);
      if (languages === undefined || seen.has(word)) continue;
      seen.add(word);
      addWord(scores, languages);
    }
    left -= Math.min(left, text.length);
  }
  const top = Math.max(...scores);
  if (top < LEAST) return isForeign(folded) ? languageBit('en') : ANY_LANGUAGE;
  let languages = 0;
  scores.forEach((score, i) => {
    if (score >= top * SHARE && score >= LEAST_SHARE) languages |= 1 << i;
  });
  return languages;
}

/** Mostly in other letters. */
function isForeign(folded: readonly string[]): boolean {
  let others = 0;
  for (const text of folded) {
    const read = text.slice(0, MAX_READ);
    others += read.split(OTHER_LETTER).length - read.split(LATIN_LETTER).length;
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
  for (const [name, list] of Object.entries(FUNCTION_WORDS)) {
    for (const word of list.split(' ')) words.set(word, (words.get(word) ?? 0) | languageBit(name));
  }
  return words;
}
