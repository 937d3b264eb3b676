// Finds the keywords of every language in folded text and says what each means.
// Called for each source (subject, text, HTML) by find-codes.ts and find-links.ts. Holds no rule of scoring.
import { foldCase, cleanText } from './fold-text.ts';
import { createWordMatcher, type Word, type WordHit, type WordMatcher } from './word-matcher.ts';
import { anyLanguage, languageBit, type Languages } from './tell-languages.ts';
import { allLanguages } from './words/all-languages.ts';
import type { WordLists } from './words/word-lists.ts';

/** `owned` is a bare word for "code" that says whose it is: see borrowed-words.ts. */
export type Meaning = keyof WordLists | 'owned';
export type MeaningHit = WordHit<Meaning>;

const maxHits = 20_000;
const minLengthForPlainSpelling = 5;
const linkMeanings: ReadonlySet<Meaning> = new Set([
  'verifyLink',
  'loginLink',
  'resetLink',
  'inviteLink',
  'unsubscribeLink',
  'helpLink',
]);

/** Names of codes are understood across languages; of the rest only the words of the mail's own languages count. */
const ofAnyLanguage: ReadonlySet<Meaning> = new Set([
  'code',
  'weak',
  'pin',
  'password',
  'backup',
  'approval',
  'inSubject',
]);
/** What speaks against a code is often said in English, whatever the rest is in. */
const inEnglishToo: ReadonlySet<Meaning> = new Set(['other', 'coupon', 'occasion', 'unit']);

interface Keyword {
  meaning: Meaning;
  languages: Languages;
}

let codeMatcher: WordMatcher<Keyword> | undefined;
let linkMatcher: WordMatcher<Keyword> | undefined;

/** Keywords about codes, in order of their start; where two overlap only the longer one is kept. */
export function matchCodeWords(folded: string, languages: Languages): MeaningHit[] {
  codeMatcher ??= createWordMatcher(collectWords((meaning) => !linkMeanings.has(meaning)));
  const isSpoken = (tag: Keyword): boolean => (tag.languages & languages) !== 0;
  return keepLongest(codeMatcher.find(folded, maxHits, isSpoken).map(toMeaning));
}

/** Keywords about links, same order and rule. */
export function matchLinkWords(folded: string): MeaningHit[] {
  linkMatcher ??= createWordMatcher(collectWords((meaning) => linkMeanings.has(meaning)));
  return keepLongest(linkMatcher.find(folded, maxHits).map(toMeaning));
}

function toMeaning({ start, end, tag }: WordHit<Keyword>): MeaningHit {
  return { start, end, tag: tag.meaning };
}

function collectWords(wanted: (meaning: Meaning) => boolean): Word<Keyword>[] {
  const words = new Map<string, Word<Keyword>>();
  for (const [name, lists] of Object.entries(allLanguages)) {
    for (const [meaning, list] of Object.entries(lists) as [keyof WordLists, string][]) {
      if (!wanted(meaning)) continue;
      const isEverywhere = ofAnyLanguage.has(meaning) || (name === 'en' && inEnglishToo.has(meaning));
      const languages = isEverywhere ? anyLanguage : languageBit(name);
      addList(words, { meaning, languages }, list);
    }
  }
  return [...words.values()];
}

function addList(words: Map<string, Word<Keyword>>, { meaning, languages }: Keyword, list: string): void {
  for (const entry of list.split(/[,\n]/)) {
    const raw = entry.trim();
    const openStart = raw.startsWith('*');
    const openEnd = raw.endsWith('*');
    const text = foldCase(cleanText(raw.replaceAll('*', '')));
    if (text === '') continue;
    const plain = withoutAccents(text);
    const spellings = plain.length >= minLengthForPlainSpelling ? new Set([text, plain]) : [text];
    for (const spelling of spellings) {
      const key = `${meaning} ${entry.includes('*') ? raw : ''} ${spelling}`;
      const known = words.get(key)?.tag.languages ?? 0;
      const tag = { meaning, languages: known | languages };
      words.set(key, { text: spelling, openStart, openEnd, tag });
    }
  }
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('đ', 'd')
    .replaceAll('ł', 'l')
    .normalize('NFC');
}

/** What a message is about yields to the name of a code it overlaps: "mã kích hoạt tài khoản" names one. */
const yielding: ReadonlySet<Meaning> = new Set(['act', 'valid', 'enter', 'unit']);
const names: ReadonlySet<Meaning> = new Set(['code', 'pin', 'password']);

// A longer word decides the sense of those inside it: "promo code" is no "code". Equal spans keep both senses.
function keepLongest(hits: MeaningHit[]): MeaningHit[] {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: MeaningHit[] = [];
  let reach = -1;
  let longest = 0;
  for (const hit of hits) {
    const last = kept.at(-1);
    if (last && hit.start === last.start && hit.end === last.end) kept.push(hit);
    else if (last && hit.start < reach && yielding.has(hit.tag) && names.has(last.tag)) continue;
    else if (hit.end > reach && (hit.start >= reach || hit.end - hit.start > longest)) {
      if (hit.start < reach) while (kept.length > 0 && (kept.at(-1)?.end ?? 0) > hit.start) kept.pop();
      kept.push(hit);
      reach = hit.end;
      longest = hit.end - hit.start;
    }
  }
  return kept;
}
