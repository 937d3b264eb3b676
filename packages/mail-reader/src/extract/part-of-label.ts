// Recognises numbers that belong to their surroundings and are not codes: an example, part of the name that announces a
// code, the last digits of a card. Examines a bounded range beside the number.
import type { Candidate } from './find-candidates.ts';
import { type CodeSource, firstAtOrAfter } from './code-source.ts';
import type { MeaningHit } from './match-words.ts';

interface Standing {
  readonly candidate: Candidate;
  readonly source: CodeSource;
  /** All candidates of the source, in order. */
  readonly all: readonly Candidate[];
}

const reach = 12;
const belowMax = 40;
const citedMax = 90;
/** A word, an opening quotation mark, and two words or more without a closing one. */
const citedBefore = /\p{L}[,:]?\s["“„«「]\p{L}+\s[^"“”„«»「」\n]{1,60}$/u;
const citedAfter = /^[^"“”„«»「」\n]{0,60}["”“»」]/;
/** "SHA256", "ISO-27001": capitals followed by a number, as in names. */
const nameLike = /^[A-Z]{2,}-?\d+$/;

/** "for example 123 456", "123456 gibi", "messages such as “Your code is 123456”". */
export function isExample({ candidate, source }: Standing, near: readonly MeaningHit[]): boolean {
  return (
    isCited({ candidate, source }) ||
    near.some(({ tag, start, end }) => {
      if (tag !== 'example') return false;
      if (start >= candidate.end) return /^["'”»」』 ]{0,2}$/.test(source.text.slice(candidate.end, start));
      const gap = source.text.slice(end, candidate.start);
      return gap.length <= reach && !/[\p{L}\p{N}\n]/u.test(gap);
    })
  );
}

// A whole sentence in quotation marks within another one quotes another text.
function isCited({ candidate, source }: Pick<Standing, 'candidate' | 'source'>): boolean {
  const before = source.text.slice(Math.max(0, candidate.start - citedMax), candidate.start);
  if (!/["“„«「]/.test(before)) return false;
  const after = source.text.slice(candidate.end, candidate.end + citedMax);
  return citedBefore.test(before) && citedAfter.test(after);
}

/**
 * "Code to unlock bike 4471: 9026", "Code 2: 448120", and "With this code you link pupil 204118:" above the code: the
 * number before the colon is part of the name. So is the left one of two table cells that looks like a name.
 */
export function isInAnnouncement({ candidate, source, all }: Standing): boolean {
  const after = source.text.slice(candidate.end, candidate.end + belowMax);
  if (/^ ?[:：] ?[A-Z0-9]/.test(after)) return true;
  if (nameLike.test(candidate.value) && /^\t[A-Za-z]*\d/.test(after)) return true;
  const gap = /^ ?[:：][^\S\n]*\n\s*/.exec(after)?.[0].length;
  if (gap === undefined) return false;
  const next = all[firstAtOrAfter(all, candidate.end + gap)];
  return (
    next?.start === candidate.end + gap &&
    next.shape !== 'letters' &&
    /^\s*?(?:\n|$)/.test(source.text.slice(next.end, next.end + 8))
  );
}

/** "the card ending in 4471", "4471 ile biten kart". */
export function isEndingOfNumber({ candidate }: Standing, near: readonly MeaningHit[]): boolean {
  return near.some(({ tag, start, end }) => {
    if (tag !== 'ending' || candidate.value.length > 5) return false;
    return end <= candidate.start ? candidate.start - end <= 12 : start - candidate.end <= 6;
  });
}
