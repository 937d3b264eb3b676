// Finds the keywords of every language in folded text and says what each means.
// Called for each source (subject, text, HTML) by find-codes.ts and find-links.ts. Holds no rule of scoring.
import { foldCase, cleanText } from './fold-text.ts';
import { createWordMatcher, type Word, type WordHit, type WordMatcher } from './word-matcher.ts';
import { ALL_LANGUAGES } from './words/all-languages.ts';
import type { WordLists } from './words/word-lists.ts';

export type Meaning = keyof WordLists;
export type MeaningHit = WordHit<Meaning>;

const MAX_HITS = 20_000;
const MIN_LENGTH_FOR_PLAIN_SPELLING = 5;
const LINK_MEANINGS: ReadonlySet<Meaning> = new Set([
  'verifyLink',
  'loginLink',
  'resetLink',
  'inviteLink',
  'unsubscribeLink',
  'helpLink',
]);

let codeMatcher: WordMatcher<Meaning> | undefined;
let linkMatcher: WordMatcher<Meaning> | undefined;

/** Keywords about codes, in order of their start; where two overlap only the longer one is kept. */
export function matchCodeWords(folded: string): MeaningHit[] {
  codeMatcher ??= createWordMatcher(collectWords((meaning) => !LINK_MEANINGS.has(meaning)));
  return keepLongest(codeMatcher.find(folded, MAX_HITS));
}

/** Keywords about links, same order and rule. */
export function matchLinkWords(folded: string): MeaningHit[] {
  linkMatcher ??= createWordMatcher(collectWords((meaning) => LINK_MEANINGS.has(meaning)));
  return keepLongest(linkMatcher.find(folded, MAX_HITS));
}

function collectWords(wanted: (meaning: Meaning) => boolean): Word<Meaning>[] {
  const words = new Map<string, Word<Meaning>>();
  for (const lists of ALL_LANGUAGES) {
    for (const [meaning, list] of Object.entries(lists) as [Meaning, string][]) {
      if (wanted(meaning)) addList(words, meaning, list);
    }
  }
  return [...words.values()];
}

function addList(words: Map<string, Word<Meaning>>, meaning: Meaning, list: string): void {
  for (const entry of list.split(/[,\n]/)) {
    const raw = entry.trim();
    const openStart = raw.startsWith('*');
    const openEnd = raw.endsWith('*');
    const text = foldCase(cleanText(raw.replaceAll('*', '')));
    if (text === '') continue;
    const plain = withoutAccents(text);
    const spellings = plain.length >= MIN_LENGTH_FOR_PLAIN_SPELLING ? new Set([text, plain]) : [text];
    for (const spelling of spellings) {
      words.set(`${meaning} ${entry.includes('*') ? raw : ''} ${spelling}`, {
        text: spelling,
        openStart,
        openEnd,
        tag: meaning,
      });
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
const YIELDING: ReadonlySet<Meaning> = new Set(['act', 'valid', 'enter', 'unit']);
const NAMES: ReadonlySet<Meaning> = new Set(['code', 'pin', 'password']);

// A longer word decides the sense of those inside it: "promo code" is no "code". Equal spans keep both senses.
function keepLongest(hits: MeaningHit[]): MeaningHit[] {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: MeaningHit[] = [];
  let reach = -1;
  let longest = 0;
  for (const hit of hits) {
    const last = kept.at(-1);
    if (last && hit.start === last.start && hit.end === last.end) kept.push(hit);
    else if (last && hit.start < reach && YIELDING.has(hit.tag) && NAMES.has(last.tag)) continue;
    else if (hit.end > reach && (hit.start >= reach || hit.end - hit.start > longest)) {
      if (hit.start < reach) while (kept.length > 0 && (kept.at(-1)?.end ?? 0) > hit.start) kept.pop();
      kept.push(hit);
      reach = hit.end;
      longest = hit.end - hit.start;
    }
  }
  return kept;
}
