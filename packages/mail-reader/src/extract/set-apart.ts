// Recognises codes by position alone, in any language: large on a line of their own, or alone below an announcement.
// Called by score-candidate.ts and unnamed-code.ts. Examines the neighbouring lines.
import { type CodeSource, firstAtOrAfter, type Line } from './code-source.ts';
import type { Meaning, MeaningHit } from './match-words.ts';
import type { MessageWords } from './message-words.ts';
import { asks, type Place, type WordWeight } from './place.ts';

const largePx = 18;
const shortLineMax = 40;
const names: ReadonlySet<Meaning> = new Set(['code', 'weak', 'pin', 'password', 'backup', 'approval']);
/** An address, a copyright, a greeting, a sentence with a figure of its own. */
const notALabel = /[\d,،、©]|!\s*$/;
const announcedTextMax = 3000;

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
  if (isFigure(place)) return false;
  if (words.codeWords > 0 || words.hasValidity || words.subjectWeight > 0) return true;
  if (place.candidate.shape === 'cells') return true;
  // "Profile views" beside a large 8421: without a word about codes, any label names something else.
  if (isLabelled(place)) return false;
  if (words.hasPurpose) return true;
  const isSigns = place.candidate.shape === 'mixed' || place.candidate.shape === 'hyphened';
  if (isSigns) return isBelowColon(place);
  return isAllOfIt(place) || isBesideRequest(place) || (!words.isUnderstood && isBesideText(place));
}

/** Digits, and nothing around them but a greeting and an address. */
function isAllOfIt({ candidate, source, lineIndex, alone }: Place): boolean {
  const { lines, text } = source;
  if (lineIndex > 1 || alone < 2 || !/^\d+$/.test(candidate.value)) return false;
  return lines.every(({ start, end }, i) => {
    if (i === lineIndex) return true;
    const content = text.slice(start, Math.min(end, start + 200));
    return i < lineIndex
      ? content.length <= shortLineMax && /[!,،]\s*$/.test(content)
      : /[\d©]/.test(content);
  });
}

function isBesideRequest({ source, lineIndex }: Place): boolean {
  const { lines } = source;
  return [lines[lineIndex - 1], lines[lineIndex + 1]].some((line) => {
    return line !== undefined && hitsOf(source, line).some(({ tag }) => asks.has(tag));
  });
}

/** A long line above or below it, as instructions are. */
function isBesideText({ source, lineIndex, alone }: Place): boolean {
  const { lines } = source;
  const beside = [lines[lineIndex - 1], lines[lineIndex + 1]];
  return alone >= 1 && beside.some((line) => line !== undefined && line.end - line.start > shortLineMax);
}

/** A short line or cell of letters beside it, without a word of a code or a request, says what the number is. */
function isLabelled({ source, lineIndex, line, candidate, alone }: Place): boolean {
  const { lines, text } = source;
  const beside = [lines[lineIndex - 1], lines[lineIndex + 1]];
  if (alone < 2) {
    beside.push({ start: line.start, end: candidate.start }, { start: candidate.end, end: line.end });
  }
  return beside.some((part, i) => {
    if (!part || part.end - part.start > shortLineMax) return false;
    const content = text.slice(part.start, part.end);
    if (!/\p{L}/u.test(content) || notALabel.test(content)) return false;
    // "Not you? Delete this mail." is often below a code, and no sentence is a label above one.
    if (i > 0 && /[.!?。！？।]\s*$/.test(content)) return false;
    return !hitsOf(source, part).some(
      ({ tag, start, end }) => names.has(tag) || (asks.has(tag) && end - start > 3),
    );
  });
}

/** "…:" followed by six digits on the next line, the only number of a short text. */
export function isAnnounced(place: Place, weight: WordWeight, words: Words): boolean {
  const { candidate, source, alone } = place;
  if (alone < 2 || !/^\d{6}$/.test(candidate.value) || candidate.crowded || !words.isOnlyNumber) return false;
  if (weight.against >= 1 || weight.vague || isElsewhere(words) || source.text.length > announcedTextMax) {
    return false;
  }
  if (!isAboutCodes(words) && isLabelled(place)) return false;
  return isBelowColon(place) && !isFigure(place);
}

/**
 * "482913 is …" or "…: 482913" as the subject, six digits and the only number: repeated in the text, it is the code.
 */
export function isSubjectOf(place: Place, weight: WordWeight, words: Words): boolean {
  const { candidate, source } = place;
  if (source.name !== 'subject' || !words.isOnlyNumber || !/^\d{6}$/.test(candidate.value)) return false;
  if (weight.against >= 1 || weight.vague || isElsewhere(words) || !isAboutCodes(words)) return false;
  const isFirst = candidate.start === 0 && /^\s\p{L}/u.test(source.text.slice(candidate.end));
  return isFirst || /[:：]\s?$/.test(source.text.slice(0, candidate.start));
}

function isBelowColon({ source, lineIndex }: Place): boolean {
  const above = source.lines[lineIndex - 1];
  return above !== undefined && /[:：]\s*$/.test(source.text.slice(above.start, above.end));
}

function isAboutCodes(words: Words): boolean {
  return words.codeWords > 0 || words.hasValidity || words.hasPurpose;
}

function isElsewhere(words: Words): boolean {
  if (words.isOrder || words.couponWords > 0 || words.occasionWords > 0) return true;
  return words.hasMoney && !words.hasValidity;
}

/** Reports whether a line beside it says that it counts or names something else. */
export function isFigureOrLabelled(place: Place): boolean {
  return isFigure(place) || isLabelled(place);
}

// "48213", and below it "steps today": the neighbouring line says what it counts.
function isFigure({ source, lineIndex }: Place): boolean {
  const { lines, text, hits } = source;
  return [lines[lineIndex - 1], lines[lineIndex + 1]].some((line, i) => {
    // With digits or commas it is an address and not a label.
    if (!line || line.end - line.start > shortLineMax) return false;
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

/** Returns the first keywords within the line. */
function hitsOf({ hits }: CodeSource, { start, end }: Line): MeaningHit[] {
  const first = firstAtOrAfter(hits, start);
  return hits.slice(first, first + 8).filter((hit) => hit.end <= end);
}
