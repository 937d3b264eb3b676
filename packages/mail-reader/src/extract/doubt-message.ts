// Doubts from the message as a whole: bookings, receipts, orders and advertisements contain other numbers. Called by
// score-candidate.ts for each candidate. Weights are log-odds.
import type { Place, WordWeight } from './place.ts';
import { isVerb, type Words } from './unnamed-code.ts';

// The topic of the whole message can change the sense of "code": a coupon, a booking, a meeting, a receipt.
/** "SAVE15", "WELCOME10", "SPRING2026": a word with a round number or a year. */
const roundWord = /^(?=[A-Z]*[AEIOUY])[A-Z]{3,}(?:\d?[05]|\d?00|20[2-4]\d|2[4-9])$/;
const barePinLabel = /(?:^|[\n\t,|·•]\s?)(?:pin[ -]?code|pin)\s?[:.\-–\t]?\s*$/;

/** Returns log-odds against a code. */
export function doubtFromMessage(place: Place, weight: WordWeight, words: Words): number {
  let doubt = words.couponWords >= 2 && words.codeWords === 0 ? 3 : 0;
  if (words.occasionWords >= 2 && !words.hasValidity && !isCodeMail(weight, words)) doubt += 4;
  if (weight.supportedBy === 'approval' && words.hasMoney && !words.hasValidity) doubt += 5;
  // "Kod urzędu 1437": a bare "code" among other numbers, in a message without a request.
  const isIdle = (!words.hasPurpose || words.isOrder) && !words.hasValidity && words.codeWords === 0;
  const isBare = weight.supportedBy === 'weak' && !weight.afterVerb && !weight.asked && place.alone < 1;
  if (isBare && isIdle && !words.hasOneNumber) {
    doubt += isLabelLine(place, weight) || isMadeUp(place, weight) ? 1 : 2.5;
  }
  // "Employee code: 4821": a code that the message does not ask for belongs to something else.
  if (weight.vague && isIdle) doubt += 1.5;
  if (isCoupon(place, weight, words)) doubt += roundWord.test(place.candidate.value) ? 6 : 3;
  if (isPostalPin(place, weight, words)) doubt += 5;
  if (isVerb(weight.supportedBy) && !words.hasPurpose && words.codeWords === 0) doubt += 1.5;
  return doubt;
}

// "Your login PIN" as the subject, with the number beside that name: the hotel stay is only how the mail ends.
function isCodeMail({ direct, supportedBy }: WordWeight, words: Words): boolean {
  const isNamed = supportedBy === 'code' || supportedBy === 'pin' || supportedBy === 'weak';
  return direct && isNamed && words.subjectWeight >= 4 && !words.hasOccasionInSubject;
}

// "Code: 8820417" alone on its line.
function isLabelLine({ candidate, line }: Place, weight: WordWeight): boolean {
  return (
    weight.afterColon && weight.direct && line.end - candidate.end <= 1 && candidate.start - line.start <= 24
  );
}

// "the key SV-3395-KD": letters among digits directly after the name.
function isMadeUp({ candidate, source }: Place, weight: WordWeight): boolean {
  const isMixed = candidate.shape === 'mixed' || candidate.shape === 'hyphened';
  return (
    isMixed &&
    weight.direct &&
    /\p{L}[\s:"'“„«]{1,3}$/u.test(source.text.slice(Math.max(0, candidate.start - 4), candidate.start))
  );
}

// "Enter SAVE15 and pay less": a made-up word and number, or characters beside a price.
function isCoupon({ candidate, alone }: Place, weight: WordWeight, words: Words): boolean {
  const { value } = candidate;
  const { supportedBy } = weight;
  if (!/^[A-Z]{2,}/.test(value) || supportedBy === 'password') return false;
  if (supportedBy === 'code' && (weight.direct || weight.afterVerb || alone >= 1)) return false;
  if (roundWord.test(value)) return true;
  if (words.codeWords > 0 || words.hasValidity || supportedBy === 'code') return false;
  return /^(?=[A-Z]*[AEIOUY])[A-Z]{3,}\d{0,4}$/.test(value) || (words.hasMoney && !words.hasPurpose);
}

// "PIN Code: 560038" is a postal code in India. A secret is called "your PIN", or the mail says how long it is valid.
function isPostalPin({ candidate, source, line }: Place, weight: WordWeight, words: Words): boolean {
  if (weight.supportedBy !== 'pin' || !/^[1-8]\d{5}$/.test(candidate.value)) return false;
  const before = source.folded.slice(Math.max(line.start, candidate.start - 60), candidate.start);
  if (!barePinLabel.test(before)) return false;
  return !words.isOnlyNumber || !(weight.hasValidity || words.subjectWeight >= 2.8);
}
