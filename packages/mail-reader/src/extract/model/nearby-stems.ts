// Describes where the stems of stems.ts are around a candidate. Part of the features of the model over layout; see
// features.ts.
import { firstAtOrAfter, type Line } from '../code-source.ts';
import type { StemHit } from '../match-words.ts';
import type { Place } from '../place.ts';
import type { StemLists } from './stems.ts';

export const reach = 400;
const countMax = 9;
export const scannedMax = 8_192;
export const meanings = ['code', 'purpose', 'time', 'trade', 'discount', 'number'] as const;

export const stemNames = [
  ...[
    'codeBefore',
    'codeAfter',
    'tradeBefore',
    'tradeAfter',
    'discountGap',
    'numberBefore',
    'timeAfter',
    'duration',
  ],
  ...meanings.map((name) => `${name}OnLine`),
  ...meanings.map((name) => `${name}Near`),
  ...meanings.map((name) => `${name}InMail`),
  ...meanings.map((name) => `${name}InSubject`),
].join(' ');

/** Returns how many stems of each meaning start in a stretch, at most nine, in the order of `meanings`. */
export function countStems(hits: readonly StemHit[], { start, end }: Line): number[] {
  const counts = meanings.map(() => 0);
  for (let i = firstAtOrAfter(hits, start); i < hits.length; i++) {
    const hit = hits[i];
    if (!hit || hit.start >= end) break;
    const at = meanings.indexOf(hit.tag);
    counts[at] = Math.min(countMax, (counts[at] ?? 0) + 1);
  }
  return counts;
}

/** Returns the counts that describeStems needs: of the stems of a whole source and of the subject. */
export function countAllStems(hits: readonly StemHit[], subject: readonly StemHit[]): number[] {
  return [
    ...countStems(hits, { start: 0, end: scannedMax }),
    ...countStems(subject, { start: 0, end: Infinity }),
  ];
}

export function describeStems(place: Place, hits: readonly StemHit[], ofMail: readonly number[]): number[] {
  const { candidate, line, source } = place;
  const near = { start: Math.max(0, candidate.start - reach), end: candidate.end + reach };
  const around = hits.slice(firstAtOrAfter(hits, near.start), firstAtOrAfter(hits, near.end));
  const onLine = { start: Math.max(line.start, near.start), end: Math.min(line.end, near.end) };
  const gap = (stem: keyof StemLists, isBefore: boolean): number => {
    let least = reach;
    for (const hit of around) {
      if (hit.tag !== stem) continue;
      if (isBefore && hit.end <= candidate.start) least = Math.min(least, candidate.start - hit.end);
      if (!isBefore && hit.start >= candidate.end) least = Math.min(least, hit.start - candidate.end);
    }
    return least;
  };
  return [
    gap('code', true),
    gap('code', false),
    gap('trade', true),
    gap('trade', false),
    Math.min(gap('discount', true), gap('discount', false)),
    gap('number', true),
    gap('time', false),
    hasDuration(source.folded, around) ? 1 : 0,
    ...countStems(around, onLine),
    ...countStems(around, near),
    ...ofMail,
  ];
}

/** "10 minutes", "dakika 15", "10分": one or two digits beside a word for minutes. */
function hasDuration(folded: string, around: readonly StemHit[]): boolean {
  return around.some(({ tag, start, end }) => {
    if (tag !== 'time') return false;
    const before = folded.slice(Math.max(0, start - 5), start);
    return /(?:^|\D)\d{1,2}[\s-]{0,2}$/.test(before) || /^\s?\d{1,2}(?!\d)/.test(folded.slice(end, end + 4));
  });
}
