// Finds the keywords of every language in folded text, with their meanings. Called for each source (subject, text,
// HTML) by find-codes.ts and find-links.ts. Contains no scoring rules.
import { type Keyword, loadKeywordTables } from './keyword-tables.ts';
import type { StemLists } from './model/stems.ts';
import type { Languages } from './tell-languages.ts';
import { createWordMatcher, type Stretch, type WordHit, type WordMatcher } from './word-matcher.ts';
import type { WordLists } from './words/word-lists.ts';

/** `owned` is a bare word for "code" with its owner: see borrowed-words.ts. */
export type Meaning = keyof WordLists | 'owned';
export type MeaningHit = WordHit<Meaning>;
export type StemHit = WordHit<keyof StemLists>;

const hitsMax = 20_000;
let matchers:
  { code: WordMatcher<Keyword>; link: WordMatcher<Keyword>; stem: WordMatcher<keyof StemLists> } | undefined;

function getMatchers(): NonNullable<typeof matchers> {
  if (matchers === undefined) {
    const { code, link, stem } = loadKeywordTables();
    matchers = {
      code: createWordMatcher(code),
      link: createWordMatcher(link),
      stem: createWordMatcher(stem),
    };
  }
  return matchers;
}

/** Returns keywords about codes, in order of start; of overlapping ones only the longer is kept. */
export function matchCodeWords(folded: string, languages: Languages): MeaningHit[] {
  const isSpoken = (tag: Keyword): boolean => (tag.languages & languages) !== 0;
  return keepLongest(getMatchers().code.find(folded, hitsMax, isSpoken).map(toMeaning));
}

/** Returns keywords about links, in the same order and by the same rule. */
export function matchLinkWords(folded: string): MeaningHit[] {
  return keepLongest(getMatchers().link.find(folded, hitsMax).map(toMeaning));
}

/**
 * Returns the stems of model/stems.ts that start in one of the stretches, which are in order and do not touch, in order
 * of start; of overlapping ones with one meaning only the first.
 */
export function matchStems(folded: string, stretches: readonly Stretch[]): StemHit[] {
  const { stem } = getMatchers();
  const hits = stretches.flatMap((stretch) => stem.findIn(folded, hitsMax, stretch));
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const reach = new Map<keyof StemLists, number>();
  return hits.filter(({ start, end, tag }) => {
    if (start < (reach.get(tag) ?? 0)) return false;
    reach.set(tag, end);
    return true;
  });
}

function toMeaning({ start, end, tag }: WordHit<Keyword>): MeaningHit {
  return { start, end, tag: tag.meaning };
}

/** These yield to the name of a code that they overlap: "mã kích hoạt tài khoản" names one. */
const yielding: ReadonlySet<Meaning> = new Set(['act', 'valid', 'enter', 'unit']);
const names: ReadonlySet<Meaning> = new Set(['code', 'pin', 'password']);

// A longer word decides the meaning of those inside it: "promo code" is not a "code". Equal spans keep both meanings.
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
