// Tells which candidates of a text are worth weighing, and how each is set. Called by score-candidate.ts. Of a log or a
// table with hundreds of numbers, only those nearest to words about codes can be one.
import type { Candidate } from './find-candidates.ts';
import { firstAtOrAfter, type CodeSource } from './code-source.ts';
import { type Place, weights } from './place.ts';
import { longestProminent } from './read-html.ts';

/** Weighing costs more than everything else. */
const weighedMax = 60;
/** Prominent text may be so many characters farther from a word. */
const standsOut = 60;

/** Returns the likely candidates, in order. */
export function likelyOf(source: CodeSource, all: readonly Candidate[]): readonly Candidate[] {
  if (all.length <= weighedMax) return all;
  const words = source.hits.filter(({ tag }) => weights[tag] !== undefined);
  const distances = all.map((candidate) => distanceOf(source, candidate, words));
  const order = [...all.keys()].sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b);
  const likely = new Set(order.slice(0, weighedMax));
  return all.filter((_, i) => likely.has(i));
}

function distanceOf(
  source: CodeSource,
  candidate: Candidate,
  words: readonly { readonly start: number; readonly end: number }[],
): number {
  const next = firstAtOrAfter(words, candidate.start);
  const before = candidate.start - (words[next - 1]?.end ?? -source.text.length);
  const after = (words[next]?.start ?? 2 * source.text.length) - candidate.end;
  return Math.min(before, after) - (lookOf(source, candidate).prominence > 0 ? standsOut : 0);
}

/** Returns how much it stands out, and its font size, from the spans around it. */
export function lookOf(
  { prominent }: CodeSource,
  { start, end }: Candidate,
): Pick<Place, 'prominence' | 'px'> {
  let prominence = 0;
  let px = 0;
  let size = Infinity;
  for (let i = firstEndingAt(prominent, end); i < prominent.length; i++) {
    const span = prominent[i];
    if (!span || span.end > start + longestProminent) break;
    if (span.start > start) continue;
    prominence += span.prominence;
    if (span.px > 0 && span.end - span.start < size) {
      px = span.px;
      size = span.end - span.start;
    }
  }
  return { prominence: Math.min(prominence, 3), px };
}

/** Returns the index of the first span that ends at or after `offset`; spans are in order of their ends. */
function firstEndingAt(spans: readonly { readonly end: number }[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
