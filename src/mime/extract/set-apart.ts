// Codes that only their place tells, in any language: large on a line of their own, or alone below an announcement.
// Called by score-candidate.ts and unnamed-code.ts. Looks at the lines beside the code.
import { firstAtOrAfter, type Line } from './code-source.ts';
import type { MeaningHit } from './match-words.ts';
import type { MessageWords } from './message-words.ts';
import type { Place, WordWeight } from './place.ts';

const LARGE_PX = 24;
const MAX_SHORT_LINE = 40;
const MAX_ANNOUNCED_TEXT = 3000;

type Words = MessageWords & { isOnlyNumber: boolean; onShow: number };

/** Of the form of a code, large, with a line or a table cell to itself. */
export function isSetLarge({ candidate, alone, px }: Place): boolean {
  if (alone < 1 || px < LARGE_PX) return false;
  const { shape, value } = candidate;
  if (shape === 'digits' || shape === 'grouped' || shape === 'cells') {
    return value.length <= 8 && !/^(?:19|20)\d\d$|0{3}$/.test(value);
  }
  return (shape === 'mixed' || shape === 'hyphened') && /\d/.test(value) && !/^[A-Z]{3,}\d{1,4}$/.test(value);
}

/** The one value set so, in a mail that is not on orders, prices or statistics. */
export function isOnShow(place: Place, weight: WordWeight, words: Words): boolean {
  if (words.onShow !== 1 || !isSetLarge(place) || weight.against >= 1 || isElsewhere(words)) return false;
  const isSigns = place.candidate.shape === 'mixed' || place.candidate.shape === 'hyphened';
  if (isSigns && !words.hasPurpose && !words.hasValidity && words.codeWords === 0) return false;
  return !isFigure(place);
}

/** "…:" and below it six digits, the only number of a short text. */
export function isAnnounced(place: Place, weight: WordWeight, words: Words): boolean {
  const { candidate, source, lineIndex, alone } = place;
  if (alone < 2 || !/^\d{6}$/.test(candidate.value) || candidate.crowded || !words.isOnlyNumber) return false;
  if (weight.against >= 1 || weight.vague || isElsewhere(words) || source.text.length > MAX_ANNOUNCED_TEXT) {
    return false;
  }
  const above = source.lines[lineIndex - 1];
  return (
    above !== undefined && /[:：]\s*$/.test(source.text.slice(above.start, above.end)) && !isFigure(place)
  );
}

function isElsewhere(words: Words): boolean {
  if (words.isOrder || words.couponWords > 0 || words.occasionWords > 0) return true;
  return words.hasMoney && !words.hasValidity;
}

// "48213", and below it "steps today": what the line beside it counts or names.
function isFigure({ source, lineIndex }: Place): boolean {
  const { lines, text, hits } = source;
  return [lines[lineIndex - 1], lines[lineIndex + 1]].some((line, i) => {
    if (!line || line.end - line.start > MAX_SHORT_LINE) return false;
    if (i === 1 && /^\s*\p{Ll}/u.test(text.slice(line.start, line.end))) return true;
    return nextHits(hits, line).some(({ tag }) => tag === 'other' || tag === 'coupon' || tag === 'unit');
  });
}

/** The keywords that the line begins with. */
function nextHits(hits: readonly MeaningHit[], line: Line): MeaningHit[] {
  const first = firstAtOrAfter(hits, line.start);
  return hits.slice(first, first + 3).filter(({ start }) => start - line.start <= 2);
}
