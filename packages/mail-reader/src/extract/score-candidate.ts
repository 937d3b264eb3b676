// Converts a candidate and its surroundings to a confidence and a kind. Called by find-codes.ts. The numbers are
// log-odds tuned only on the samples of split "tune".
import type { Candidate, Shape } from './find-candidates.ts';
import { firstAtOrAfter, type CodeSource } from './code-source.ts';
import { likelyOf, lookOf } from './likely-candidates.ts';
import type { Meaning } from './match-words.ts';
import type { MessageWords } from './message-words.ts';
import type { Place, WordWeight } from './place.ts';
import { doubtFromMessage } from './doubt-message.ts';
import { isReference } from './reference-number.ts';
import { isFigureOrLabelled, isSetLarge } from './set-apart.ts';
import { isLooseNamed, isTyped, weighUnnamed, type Words } from './unnamed-code.ts';
import { weighWords } from './weigh-words.ts';

export interface Scored {
  readonly candidate: Candidate;
  readonly source: CodeSource;
  /** The log-odds that this is the code. */
  readonly score: number;
  /** Whether words or a place that only codes have speak for it; the score of others stays below what is shown. */
  readonly isClear: boolean;
  readonly kind: 'otp' | 'pin' | 'password' | 'backup';
  /** Whether it is one of several of one form below each other. */
  readonly isListed: boolean;
}

const bias = -2.2;
const shapeWeights: Record<Shape, number> = {
  digits: 0,
  grouped: 0.8,
  cells: 1.5,
  mixed: 0.2,
  letters: -1.5,
  hyphened: -0.2,
  manyGroups: -0.2,
  password: 0.5,
  words: -0.5,
};
const byLength = [0, 0, 0, -3, 0, 0.3, 1, 0, 0.5, -0.8, -1];
/** The highest score without a word for a code: too low to be shown. */
const unnamedLimit = 0.9;
/** The highest score when its name says it is the code of something else. */
const vagueLimit = 0.2;

/** A candidate with its surroundings, before the rest of the message is known. */
interface Weighed {
  readonly place: Place;
  readonly weight: WordWeight;
}

/** Weighs the likely ones of all candidates of a source. */
export function weighCandidates(source: CodeSource, all: readonly Candidate[]): Weighed[] {
  return likelyOf(source, all).map((candidate) => {
    const place = findPlace(source, candidate, all);
    return { place, weight: weighWords(place) };
  });
}

/** Scores all candidates of all sources of one message. */
export function scoreCandidates(weighed: readonly Weighed[], message: MessageWords): Scored[] {
  const rivals = findRivals(weighed);
  const onShow = new Set(
    weighed.filter(({ place }) => isSetLarge(place)).map(({ place }) => place.candidate.value),
  );
  const references = new Set(
    weighed.filter(({ place }) => isReference(place)).map(({ place }) => place.candidate.value),
  );
  const scored: Scored[] = [];
  for (const { place, weight } of weighed) {
    const { candidate, source } = place;
    const others = rivals.size - (rivals.has(candidate.value) ? 1 : 0);
    const isOnlyNumber = others === 0 && /\d/.test(candidate.value);
    const isReference = references.has(candidate.value);
    const sum = addUp(place, weight, { ...message, isOnlyNumber, isReference, onShow: onShow.size });
    const kind = kindOf(candidate, weight.supportedBy);
    if (sum) scored.push({ candidate, source, ...sum, kind, isListed: isListed(place) });
  }
  return scored;
}

// Returns numbers that might be meant instead: not years, and not what a label or the lack of any word rules out, such
// as the postcode and the register number in the footer.
function findRivals(weighed: readonly Weighed[]): Set<string> {
  const values = new Set<string>();
  for (const { place, weight } of weighed) {
    const { value, loose } = place.candidate;
    if (!/\d/.test(value) || /^(19|20)\d\d$/.test(value) || loose) continue;
    if (weight.against < 2 && (weight.support >= 1 || place.alone >= 1)) values.add(value);
  }
  return values;
}

function addUp(
  place: Place,
  weight: WordWeight,
  words: Words,
): Pick<Scored, 'score' | 'isClear'> | undefined {
  const { candidate } = place;
  const support = Math.max(
    weight.support,
    place.alone >= 1 ? words.subjectWeight * 0.75 : words.subjectWeight * (words.isOnlyNumber ? 0.55 : 0.25),
  );
  const { prominence } = place;
  if (candidate.loose && !isLooseNamed(place, weight, support)) return undefined;
  const isNamed = (weight.direct || weight.afterVerb || place.alone >= 1) && weight.support >= 2.4;
  if (candidate.shape === 'manyGroups' && !isNamed) return undefined;
  const onlyLetters = !/\d/.test(candidate.value);
  const isLabelled = onlyLetters && weight.supportedBy === 'code' && weight.direct && weight.afterColon;
  if (onlyLetters && !isLikelyLetters(place, weight, prominence)) return undefined;
  const aloneWeight = place.alone === 2 ? 1.2 : place.alone * 0.6;
  const unnamed = weighUnnamed({ place, weight, words, support });
  let score =
    bias +
    shapeWeights[candidate.shape] +
    looks(candidate, weight) +
    support +
    aloneWeight +
    prominence * 0.5 +
    unnamed.bonus -
    weight.against;
  if (weight.hasValidity) score += 0.5;
  if (isLabelled) score += 0.5;
  // "58214 - to confirm your transfer", "61180 per attivare la SIM".
  if (weight.leads && (words.hasValidity || words.isOnlyNumber)) score += 0.7;
  if (isTyped(place, weight) && words.hasPurpose) score += 1.2;
  if (weight.afterVerb && weight.support >= 2.4) score += 0.4;
  if (candidate.crowded) score -= weight.direct && weight.asked ? 0.4 : 1;
  // "1 2 3 4 5" is more often a rating scale.
  if (candidate.shape === 'cells' && !weight.direct && '0123456789'.includes(candidate.value)) score -= 3;
  if (words.isOnlyNumber) score += 0.3;
  if (place.source.name === 'hidden') score -= 0.3;
  score -= signBefore(place) + doubtFromMessage(place, weight, words) + (isListed(place) ? 3 : 0);
  if (words.isReference && !isNamedHere(weight)) score -= 5;
  if (words.isFiled && !(words.hasValidity && isNamedHere(weight))) score -= 2.5;
  const isPlaced = support >= 1.2 && (place.alone === 2 || prominence >= 2);
  if (weight.vague && weight.direct) return { score: Math.min(score, vagueLimit), isClear: false };
  const isClear = unnamed.isClear || support >= 2 || (isPlaced && !isActOnFigure(place, weight, words));
  return { score: isClear ? score : Math.min(score, unnamedLimit), isClear };
}

/** "The code is …", "code: …". */
function isNamedHere({ direct, afterVerb, afterColon, supportedBy }: WordWeight): boolean {
  const isName = supportedBy === 'code' || supportedBy === 'pin' || supportedBy === 'weak';
  return isName && (afterVerb || (direct && afterColon));
}

// "Views", a large 48291, "Log in to see more": the act is not about the number.
function isActOnFigure(place: Place, weight: WordWeight, words: Words): boolean {
  if (weight.supportedBy !== 'act' || words.codeWords > 0 || words.hasValidity || words.subjectWeight > 0) {
    return false;
  }
  return words.isOrder || isFigureOrLabelled(place);
}

/** Four or more of one form, each on its own line, are a list of recovery codes. */
function isListed({ all, candidate, source }: Place): boolean {
  const at = firstAtOrAfter(all, candidate.start);
  let alike = 0;
  for (const other of all.slice(Math.max(0, at - 8), at + 9)) {
    if (other.shape !== candidate.shape || other.value.length !== candidate.value.length) continue;
    if (/^\s*\n|^\s*$/.test(source.text.slice(other.end, other.end + 4))) alike++;
  }
  return alike >= 4;
}

function looks({ value, shape }: Candidate, weight: WordWeight): number {
  if (shape === 'cells') return 0;
  if (shape === 'digits' || shape === 'grouped') {
    const isYear = shape === 'digits' && /^(19[5-9]\d|20[0-3]\d)$/.test(value);
    const isRound = /^\d0{3,}$/.test(value) || /^[1-9]\d?0{3,}$/.test(value);
    const isDay = /^20[0-4]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(value);
    return (
      (byLength[value.length] ?? -2) +
      (isYear ? yearDoubt(weight) : 0) +
      (isRound ? -1 : 0) +
      (isDay ? -1.5 : 0)
    );
  }
  // "SPRING25" was chosen by a person; one in fifty random codes looks like it.
  if (shape === 'mixed' && /^[A-Z]{4,}\d{1,4}$/.test(value)) return -1;
  if (shape === 'mixed') return (/[a-z]/.test(value) ? -0.7 : 0) + (value.length < 5 ? -0.5 : 0);
  return 0;
}

// "Your verification code is 2026": one in fifty four-digit codes looks like a year.
function yearDoubt({ supportedBy, direct, afterVerb }: WordWeight): number {
  return supportedBy === 'code' && (direct || afterVerb) ? -1 : -2.5;
}

// "#4821", "№ 4821", "No. 4821" name a number, "CA 94107" a place.
function signBefore({ source, candidate }: Place): number {
  if (
    candidate.value.length === 5 &&
    /[,\s][A-Z]{2} $/.test(source.text.slice(Math.max(0, candidate.start - 4), candidate.start))
  ) {
    return 2;
  }
  const near = source.folded.slice(Math.max(0, candidate.start - 6), candidate.start);
  return /#$|№\s?$|(^|[^a-z])(no|nr|n[°º])\.?:?\s?$/.test(near) ? 3 : 0;
}

function isLikelyLetters(
  { source, candidate, alone }: Place,
  weight: WordWeight,
  prominence: number,
): boolean {
  const isHeaded = (alone >= 1 && prominence >= 1) || (alone === 2 && weight.support >= 3.9);
  // Nouns and verbs add up: "Your sign-in code is below. Enter it in the open window."
  const isDevice = isDeviceCode(candidate) && alone === 2 && weight.named * 0.7 + weight.requested >= 1;
  if (!isDevice && (weight.support < 2.4 || !(weight.direct || isHeaded))) return false;
  const overlaps = source.hits.some((hit) => hit.start < candidate.end && hit.end > candidate.start);
  const linked = source.links.some((link) => link.start < candidate.end && link.end > candidate.start);
  const nextToCapitals = /[A-Z]{2,}[ :]{1,2}$/.test(
    source.text.slice(Math.max(0, candidate.start - 20), candidate.start),
  );
  return (
    !overlaps &&
    !linked &&
    !nextToCapitals &&
    !/^ [A-Z]{2}/.test(source.text.slice(candidate.end, candidate.end + 4))
  );
}

// "WDJB-MJHT": the form of codes for devices in RFC 8628 §6.1; two words would have more vowels.
function isDeviceCode({ value }: Candidate): boolean {
  return /^[A-Z]{4}-[A-Z]{4}$/.test(value) && value.replace(/[^AEIOU]/g, '').length < 2;
}

function findPlace(source: CodeSource, candidate: Candidate, all: readonly Candidate[]): Place {
  const lineIndex = Math.max(0, firstAtOrAfter(source.lines, candidate.start + 1) - 1);
  const line = source.lines[lineIndex] ?? { start: 0, end: source.text.length };
  const alone = aloneness(source.text, candidate, line);
  return { source, candidate, all, line, lineIndex, alone, ...lookOf(source, candidate) };
}

function aloneness(text: string, candidate: Candidate, line: { start: number; end: number }): number {
  const before = text.slice(Math.max(line.start, candidate.start - 200), candidate.start);
  const after = text.slice(candidate.end, Math.min(Math.max(line.end, candidate.end), candidate.end + 200));
  if (!hasWord(before) && !hasWord(after)) return 2;
  if (!hasWord(before.slice(before.lastIndexOf('\t') + 1)) && !hasWord(after.split('\t', 1)[0] ?? '')) {
    return 1;
  }
  return hasWord(before) ? 0 : 0.5;
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function kindOf(candidate: Candidate, supportedBy: Meaning | undefined): Scored['kind'] {
  if (candidate.shape === 'password' || (supportedBy === 'password' && candidate.shape === 'mixed')) {
    return 'password';
  }
  if (supportedBy === 'backup') return 'backup';
  return supportedBy === 'pin' ? 'pin' : 'otp';
}
