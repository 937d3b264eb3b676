// Finds the stems of stems.ts where the features look for them: at the beginning of a text, and around the values that are
// described. The rest of a long mail is not searched.
import type { CodeSource, Line } from '../code-source.ts';
import { matchStems, type StemHit } from '../match-words.ts';
import type { Place } from '../place.ts';
import { countAllStems, scannedMax, reach } from './nearby-stems.ts';
import { lineMax } from './neighbours.ts';

/** The stems of one source, and their counts in it and in the subject. */
export interface Stems {
  readonly hits: readonly StemHit[];
  readonly ofMail: readonly number[];
}

/** Returns the stems of each source in which a place is. */
export function readStems(sources: readonly CodeSource[], places: readonly Place[]): Map<CodeSource, Stems> {
  const subject = sources.find(({ name }) => name === 'subject');
  const inSubject = subject ? matchStems(subject.folded, [{ start: 0, end: subject.folded.length }]) : [];
  const known = new Map<CodeSource, Stems>();
  for (const { source } of places) {
    if (known.has(source)) continue;
    const around = places.filter((place) => place.source === source).flatMap(stretchesOf);
    const hits =
      source === subject
        ? inSubject
        : matchStems(source.folded, merge([{ start: 0, end: scannedMax }, ...around]));
    known.set(source, { hits, ofMail: countAllStems(hits, inSubject) });
  }
  return known;
}

function stretchesOf({ source, candidate, lineIndex }: Place): Line[] {
  const lines = source.lines.slice(Math.max(0, lineIndex - 2), lineIndex + 3);
  return [
    { start: Math.max(0, candidate.start - reach), end: candidate.end + reach },
    ...lines.map(({ start, end }) => ({ start, end: Math.min(end, start + lineMax) })),
  ];
}

/** In order, those that overlap as one. */
function merge(stretches: Line[]): Line[] {
  stretches.sort((a, b) => a.start - b.start);
  const merged: Line[] = [];
  for (const { start, end } of stretches) {
    const last = merged.at(-1);
    if (last && start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    } else merged.push({ start, end });
  }
  return merged;
}
