// Weighs evidence that a number is something else: a label beside it, what it counts, a coupon, an expired code.
// Called by weigh-words.ts, which weighs the evidence for a code. Weights add up as log-odds.
import type { Meaning, MeaningHit } from './match-words.ts';
import { isEndingOfNumber, isExample, isInAnnouncement } from './part-of-label.ts';
import { weighPostcode } from './postcode.ts';
import {
  asks,
  followsColon,
  followsVerb,
  isInSentence,
  lineOf,
  type Place,
  sentenceEnd,
  weights,
  type WordWeight,
} from './place.ts';

/** "15 % off", before or after a code in its sentence. */
const percent = /\d\s?[%٪％]|[%٪％]\s?\d/;

const numbered =
  /^['’]?\s?(?:numarali|nolu|no['’]?lu|sayili|számú|(?:番|号)の|번(?!호))(?!\s(?:\S{1,16}\s)?(?:kod|şifre|doğrulama))/u;

/** "17356 codes are now available": the plural, in the languages that have one. */
const countedCodes =
  /^\s(?:\p{L}[\p{L}-]{0,15}\s){0,2}(?:codes|códigos|codici|kodów|кодов|кодів|кода|koder|koderna|kódů|kódov|kódot|kodova|coduri|kodes|koodia|passcodes|otps|κωδικοί|κωδικούς|أكواد|رموز)(?!\p{L})/iu;
/** "482917 is a bad code": the code of a mail is "the" or "your" code. */
const oneOfMany = /^["'”»]?\s(?:is|ist|est|es|è|é|är|er)\s(?:an?|eine?|une?|una?|uma?|ett?|een)\s/iu;
export const network =
  /(?<!\p{L})(?:wi-?fi|wlan|ssid|wpa[23]?|hotspot|вай-?фай)(?!\p{L})|무선|와이파이|无线|無線|ワイファイ|وای ?فای|واي ?فاي|वाई-?फ़?ाई|वाई-?फाई/u;
const meetingId = /(?<!\p{L})(?:ID|Id|id)(?!\p{L})[^\d\n]{0,24}\d{3}[ -]\d{3,4}[ -]\d{3,4}(?!\d)/u;
const contrary: ReadonlySet<Meaning> = new Set(['other', 'coupon', 'stale']);

/** Returns the log-odds that the number is something else. */
export function weighAgainst(place: Place, near: readonly MeaningHit[], weight: WordWeight): number {
  let against = weighLabel(place, near, weight.support);
  against += weighAfter(place, near);
  against += weighCoupons(place, near, weight);
  against += weighStale(place, near);
  against += weighPostcode(place, weight);
  if (isCounted(place)) against += 4;
  if (isEndingOfNumber(place, near)) against += 6;
  if (isInAnnouncement(place)) against += 4;
  if (isExample(place, near)) against += 6;
  if (isNetworkKey(place, weight)) against += 6;
  if (isOfMeeting(place)) against += 5;
  return against;
}

// "Wi-Fi password: Sunny4829", "SSID: Vista" above "Password: …": the key of a network is shared, and typed once.
function isNetworkKey({ candidate, source, lineIndex }: Place, { supportedBy }: WordWeight): boolean {
  if (supportedBy === undefined || supportedBy === 'backup') return false;
  const isKey = candidate.shape === 'password' || supportedBy === 'password' || supportedBy === 'weak';
  if (!isKey) return false;
  const first = source.lines[Math.max(0, lineIndex - 2)]?.start ?? 0;
  const below = source.lines[lineIndex + 1];
  const before = source.folded.slice(Math.max(first, candidate.start - 160), candidate.start);
  return (
    network.test(before) || /^\P{L}{0,4}(?:ssid|wlan)/u.test(source.folded.slice(below?.start, below?.end))
  );
}

// "Meeting ID: 482 9173 5482" above "Passcode: 739204": for everybody invited, in any language.
function isOfMeeting({ source, lineIndex }: Place): boolean {
  const above = source.lines[lineIndex - 1];
  return (
    above !== undefined &&
    meetingId.test(source.text.slice(above.start, Math.min(above.end, above.start + 80)))
  );
}

// "204118 numaralı siparişiniz", "48213번 주문": the word for "number" follows, and none for a code. "17356 codes".
function isCounted({ candidate, source }: Place): boolean {
  const after = source.folded.slice(candidate.end, candidate.end + 60);
  return numbered.test(after) || countedCodes.test(after) || oneOfMany.test(after);
}

// "Order number: 12345": the last label before the number names it, unless another number is in between.
function weighLabel(place: Place, near: readonly MeaningHit[], support: number): number {
  const label = lastLabel(place, near);
  if (!label) return 0;
  const { candidate, line } = place;
  const onLine = label.end > line.start;
  const gap = candidate.start - label.end;
  if (!contrary.has(label.tag)) return 0;
  if (/\d/.test(place.source.text.slice(label.end, candidate.start))) return 0;
  if (onLine && isComplement(place, near)) return 1;
  if (!onLine) return place.alone >= 0.5 ? weighHeading(place, label, near) * (support >= 2.8 ? 0.3 : 1) : 0;
  const strength = gap <= 12 ? 5.5 : gap <= 30 ? 4 : gap <= 60 ? 2.5 : 0.8;
  // "Use this code to verify your phone number: 123456" names the code first.
  return gap <= 1 || support < 2.8 ? strength : strength * (support < 3.5 ? 0.45 : gap > 1 ? 0.2 : 0.3);
}

// "The PIN to complete your order is 6081": the verb refers to the code's name, and the order is secondary.
function isComplement(place: Place, near: readonly MeaningHit[]): boolean {
  const { candidate, source, line } = place;
  // "Give this PIN to the driver when you have the package: 583217" is a request too.
  const isAsked = followsColon(place) && near.some((hit) => asks.has(hit.tag) && isInSentence(place, hit));
  if (!isAsked && !followsVerb(place, near)) return false;
  return near.some(({ tag, start, end }) => {
    if ((tag !== 'code' && tag !== 'pin' && tag !== 'weak') || start < line.start || end > candidate.start) {
      return false;
    }
    return !/[.!?;,:。，、؛]/.test(source.text.slice(end, candidate.start).replace(/:\s*$/, ''));
  });
}

function lastLabel({ candidate }: Place, near: readonly MeaningHit[]): MeaningHit | undefined {
  let label: MeaningHit | undefined;
  for (const hit of near) {
    if (hit.end > candidate.start) continue;
    const names =
      contrary.has(hit.tag) ||
      hit.tag === 'code' ||
      hit.tag === 'weak' ||
      hit.tag === 'owned' ||
      hit.tag === 'pin' ||
      hit.tag === 'password';
    if (names && (!label || hit.end >= label.end)) label = hit;
  }
  return label;
}

// "Order number" on the line above names the number; "Type this on your phone" does not.
function weighHeading(place: Place, label: MeaningHit, near: readonly MeaningHit[]): number {
  const above = place.source.lines[place.lineIndex - 1];
  if (!above || label.start < above.start) return 0;
  const asksForCode = near.some(({ tag, start, end }) => {
    return weights[tag] !== undefined && start >= above.start && end <= above.end;
  });
  if (asksForCode) return 0;
  return above.end - above.start <= 40 && above.end - label.end <= 20 ? 4.5 : 1;
}

// "10 minutes", "2024年", "12345 orders".
function weighAfter({ candidate, source }: Place, near: readonly MeaningHit[]): number {
  let weight = 0;
  for (const hit of near) {
    const gap = hit.start - candidate.end;
    if (gap >= 0 && gap <= 1 && source.text.charAt(candidate.end) !== '\n') {
      if (hit.tag === 'unit' || hit.tag === 'month') weight = Math.max(weight, 5);
      if (hit.tag === 'other' && !/^[(]/.test(source.text.slice(candidate.end))) weight = Math.max(weight, 1);
    }
    const gapBefore = candidate.start - hit.end;
    if (hit.tag === 'month' && gapBefore >= 0 && gapBefore <= 2) weight = Math.max(weight, 4);
  }
  return weight;
}

function weighCoupons(place: Place, near: readonly MeaningHit[], weight: WordWeight): number {
  const { candidate, line, alone } = place;
  const isBeside = weight.direct || weight.afterVerb || alone >= 1;
  const isName = weight.supportedBy === 'code' || weight.asked || weight.hasValidity;
  // "Show the collection code 4827 at the till": coupons contain letters.
  const isNamed = weight.supportedBy === 'code' && isBeside && /^\d+$/.test(candidate.value);
  // An advertisement on a lower line seldom belongs to a code above.
  const isApart = isName && isBeside && !weight.vague && !/^[A-Z]{3,}\d{1,4}$/.test(candidate.value);
  let most = isBesidePercent(place) ? 4 : 0;
  for (const hit of near) {
    if (hit.tag !== 'coupon') continue;
    const distance = Math.abs(lineOf(place, hit.start) - place.lineIndex);
    const share = isApart && hit.start >= line.end ? 0.25 : 1;
    most = Math.max(most, (distance <= 1 ? 4 : 2) * share);
  }
  return most * (isNamed ? 0.3 : 1);
}

// "Save 15 % with the code LAMP15": letters beside a percentage, in one sentence.
function isBesidePercent({ candidate, source, line }: Place): boolean {
  if (!/[A-Z]/i.test(candidate.value)) return false;
  const before = source.text.slice(Math.max(line.start, candidate.start - 80), candidate.start);
  const after = source.text.slice(candidate.end, Math.min(line.end, candidate.end + 60));
  return (
    percent.test(before.split(sentenceEnd).at(-1) ?? '') || percent.test(after.split(sentenceEnd)[0] ?? '')
  );
}

// "Your old code 111111 no longer works": only words of the same sentence count.
function weighStale({ candidate, source, line }: Place, near: readonly MeaningHit[]): number {
  for (const hit of near) {
    if (hit.tag !== 'stale' || hit.start < line.start || hit.start >= line.end) continue;
    const before = hit.end <= candidate.start;
    const gap = before
      ? source.text.slice(hit.end, candidate.start)
      : source.text.slice(candidate.end, hit.start);
    if (gap.length <= 60 && !sentenceEnd.test(gap) && !/\d{4}/.test(gap)) return 3.5;
  }
  return 0;
}
