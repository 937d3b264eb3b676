// Evidence for a code without a name beside it: what the sentence asks for, what the message is about, where it is.
// Called by score-candidate.ts. Bonuses are log-odds, and all require other numbers to be ruled out.
import type { Meaning } from './match-words.ts';
import type { MessageWords } from './message-words.ts';
import type { Place, WordWeight } from './place.ts';
import { isAnnounced, isOnShow, isSubjectOf } from './set-apart.ts';

export type Words = MessageWords & {
  /** Whether no other number of the message could be meant. */
  readonly isOnlyNumber: boolean;
  /** Whether some occurrence of it names or counts something else. */
  readonly isReference: boolean;
  /** How many values are large and on a line of their own. */
  readonly onShow: number;
};

interface Standing {
  readonly place: Place;
  readonly weight: WordWeight;
  readonly words: Words;
  /** The evidence from words and subject, 0 to about 5. */
  readonly support: number;
}

/** Returns the bonus, and whether it is enough to show the value. */
export function weighUnnamed(standing: Standing): { bonus: number; isClear: boolean } {
  const { place, weight, words, support } = standing;
  // "Customer code: 4821" is named, but as something else.
  if (weight.vague && weight.direct) return { bonus: 0, isClear: false };
  const bonuses = [
    isOfAskedLength(place, weight, words) ? (support >= 2 ? 0.6 : 2.2) : 0,
    isOpening(weight, words) ? (support >= 2 ? 0.8 : 2.4) : 0,
    isPlainCode(place, words) ? 1.2 : 0,
    isOnShow(place, weight, words) ? 2.4 : 0,
    isAnnounced(place, weight, words) ? 1.4 : 0,
    isSubjectOf(place, weight, words) ? 0.8 : 0,
    isAllThereIs(place, weight, words) ? (words.hasPurpose ? 1 : 2.2) : 0,
    isInRequest(standing) ? 1.2 : 0,
    isShown(standing) ? 0.8 : 0,
    forAct(weight, words),
  ];
  const isSubject = words.isInSubject && place.source.name === 'subject';
  if (isSubject && words.isOnlyNumber) bonuses.push(2.6);
  return {
    bonus: bonuses.reduce((sum, bonus) => sum + bonus, 0),
    isClear: isSubject || bonuses.some((bonus) => bonus > 0),
  };
}

export function isVerb(meaning: Meaning | undefined): boolean {
  return meaning === 'enter' || meaning === 'typeNext' || meaning === 'typeLast';
}

/** Reports whether a verb of typing is beside or above it. */
export function isTyped({ alone }: Place, weight: WordWeight): boolean {
  return isVerb(weight.supportedBy) && (weight.direct || alone >= 1);
}

// "Type 482913 on the next page", without another number in the message: nothing else can be meant.
function isAllThereIs(place: Place, weight: WordWeight, words: Words): boolean {
  return isTyped(place, weight) && weight.direct && words.isOnlyNumber && !words.hasMoney;
}

// "Acme: 22097743 for your new phone. Not you? Call us."
function isOpening(weight: WordWeight, words: Words): boolean {
  return weight.opens && !weight.leads && words.hasValidity && words.isOnlyNumber && !words.hasMoney;
}

// Alone below a request to type it, whatever it is called.
function isShown({ place, weight, words }: Standing): boolean {
  if (place.alone !== 2 || !isVerb(weight.supportedBy) || !words.hasPurpose) return false;
  return words.isOnlyNumber || place.prominence >= 1 || place.candidate.shape === 'cells';
}

// "To confirm: 58392210. Tell nobody this code." and "[Acme] Identity check 4093, tell nobody".
function forAct(weight: WordWeight, words: Words): number {
  if (weight.supportedBy !== 'act') return 0;
  const isAnnounced = words.codeWords > 0 && words.hasValidity;
  const isAlone = words.isOnlyNumber && !words.hasMoney;
  if (weight.afterColon && (isAnnounced || (isAlone && words.subjectWeight >= 1.5))) return 0.8;
  return weight.direct && words.hasValidity && isAlone ? 2.2 : 0;
}

// Forms that are usually something else count beside a name, or below one on a line of their own.
export function isLooseNamed({ candidate, alone }: Place, weight: WordWeight, support: number): boolean {
  const isNamed = weight.direct || weight.afterVerb || weight.afterColon;
  if (candidate.shape !== 'words') {
    return (
      (isNamed && weight.support >= 2.8) ||
      (alone >= 1 && support >= 2.4) ||
      (alone === 2 && isVerb(weight.supportedBy))
    );
  }
  if (alone === 2 && support >= 3) return true;
  return /\d/.test(candidate.value) && isNamed && weight.support >= 3.9;
}

function isOfAskedLength({ candidate, alone }: Place, weight: WordWeight, words: Words): boolean {
  const { shape, value } = candidate;
  if (shape !== 'digits' && shape !== 'grouped' && shape !== 'cells') return false;
  if (!words.askedLengths.has(value.length) || candidate.crowded || weight.against >= 2) return false;
  return alone >= 1 || weight.afterColon || weight.asked || words.isOnlyNumber;
}

// "Copy **AB-4471** and paste it on the page": the only thing set apart, or the only number, in a request to type.
function isInRequest({ place, weight, words }: Standing): boolean {
  const { shape, value, crowded } = place.candidate;
  const fits =
    shape === 'mixed' ||
    shape === 'hyphened' ||
    shape === 'grouped' ||
    (shape === 'digits' && value.length <= 8);
  const isSet = place.prominence >= 1 || shape !== 'digits' || value.length === 6;
  if (!fits || !isSet || crowded || !weight.asked || weight.against >= 1) return false;
  return words.isOnlyNumber && words.hasPurpose && !words.hasMoney && words.couponWords === 0;
}

// One number on a line of its own, in a message about signing in that mentions validity or secrecy.
function isPlainCode({ candidate, alone, prominence }: Place, words: Words): boolean {
  const { shape, value } = candidate;
  const fits = shape === 'cells' || ((shape === 'digits' || shape === 'grouped') && value.length <= 8);
  const isSet = alone === 2 && (prominence >= 1 || shape !== 'digits' || value.length >= 5);
  return (
    fits &&
    isSet &&
    words.isOnlyNumber &&
    words.hasPurpose &&
    words.hasValidity &&
    !words.hasMoney &&
    words.couponWords === 0 &&
    words.occasionWords === 0
  );
}
