// Recognises codes by position alone, in any language: large on a line of their own, or alone below an announcement.
// Called by score-candidate.ts and unnamed-code.ts. Examines the neighbouring lines.
import { firstAtOrAfter, type Line } from './code-source.ts';
import type { MeaningHit } from './match-words.ts';
import type { MessageWords } from './message-words.ts';
import type { Place, WordWeight } from './place.ts';

const largePx = 24;
const maxShortLine = 40;
const maxAnnouncedText = 3000;

type Words = MessageWords & { readonly isOnlyNumber: boolean; readonly onShow: number };

/** Reports whether it has the form of a code and is large, alone on a line or in a table cell. */
export function isSetLarge({ candidate, source, alone, px }: Place): boolean {
  const { shape, value } = candidate;
  // One digit per cell is set apart in any size; "1 2 3 4 5" is a scale.
  const isRow = shape === 'cells' && source.name === 'html' && !'0123456789'.includes(value);
  if (alone < 1 || (px < largePx && !isRow)) return false;
  if (shape === 'digits' || shape === 'grouped' || shape === 'cells') {
    return value.length <= 8 && !/^(?:19|20)\d\d$|0{3}$/.test(value);
  }
  return (shape === 'mixed' || shape === 'hyphened') && /\d/.test(value) && !/^[A-Z]{3,}\d{1,4}$/.test(value);
}

/** The only value presented like this, in a mail that is not about orders, prices or statistics. */
export function isOnShow(place: Place, weight: WordWeight, words: Words): boolean {
  if (words.onShow !== 1 || !isSetLarge(place) || weight.against >= 1 || isElsewhere(words)) return false;
  const isSigns = place.candidate.shape === 'mixed' || place.candidate.shape === 'hyphened';
  const isMeant = words.hasPurpose || words.hasValidity || words.codeWords > 0 || isBelowColon(place);
  if (isSigns && !isMeant) return false;
  return !isFigure(place);
}

/** "…:" followed by six digits on the next line, the only number of a short text. */
export function isAnnounced(place: Place, weight: WordWeight, words: Words): boolean {
  const { candidate, source, alone } = place;
  if (alone < 2 || !/^\d{6}$/.test(candidate.value) || candidate.crowded || !words.isOnlyNumber) return false;
  if (weight.against >= 1 || weight.vague || isElsewhere(words) || source.text.length > maxAnnouncedText) {
    return false;
  }
  return isBelowColon(place) && !isFigure(place);
}

/**
 * "482913 is …" or "…: 482913" as the subject, six digits and the only number: repeated in the text, it is the code.
 */
export function isSubjectOf(place: Place, weight: WordWeight, words: Words): boolean {
  const { candidate, source } = place;
  if (source.name !== 'subject' || !words.isOnlyNumber || !/^\d{6}$/.test(candidate.value)) return false;
  if (weight.against >= 1 || weight.vague || isElsewhere(words)) return false;
  const isFirst = candidate.start === 0 && /^\s\p{L}/u.test(source.text.slice(candidate.end));
  return isFirst || /[:：]\s?$/.test(source.text.slice(0, candidate.start));
}

function isBelowColon({ source, lineIndex }: Place): boolean {
  const above = source.lines[lineIndex - 1];
  return above !== undefined && /[:：]\s*$/.test(source.text.slice(above.start, above.end));
}

function isElsewhere(words: Words): boolean {
  if (words.isOrder || words.couponWords > 0 || words.occasionWords > 0) return true;
  return words.hasMoney && !words.hasValidity;
}

// "48213", and below it "steps today": the neighbouring line says what it counts.
function isFigure({ source, lineIndex }: Place): boolean {
  const { lines, text, hits } = source;
  return [lines[lineIndex - 1], lines[lineIndex + 1]].some((line, i) => {
    // With digits or commas it is an address and not a label.
    if (!line || line.end - line.start > maxShortLine) return false;
    if (/[\d,،、]/.test(text.slice(line.start, line.end))) return false;
    if (i === 1 && /^\s*\p{Ll}/u.test(text.slice(line.start, line.end))) return true;
    return nextHits(hits, line).some(({ tag }) => tag === 'other' || tag === 'coupon' || tag === 'unit');
  });
}

/** Returns the keywords that the line begins with. */
function nextHits(hits: readonly MeaningHit[], line: Line): MeaningHit[] {
  const first = firstAtOrAfter(hits, line.start);
  return hits.slice(first, first + 3).filter(({ start }) => start - line.start <= 2);
}
