// Weighs the keywords around a candidate, for a code and for something else. Called by score-candidate.ts. Distances
// are in characters of clean text; weights add up as log-odds.
import { firstAtOrAfter } from './code-source.ts';
import type { Meaning, MeaningHit } from './match-words.ts';
import { isExplained, leadsTo, opensSentence } from './opening-sentence.ts';
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
import { refersBack } from './refers-back.ts';
import { weighAgainst } from './weigh-against.ts';

const separator = /[·•|;/\n\t]|\s[-—–]\s|[,،、]\s/;
const ownValue = /^[ \t]?(?:[:：#№.]|n[or°º]\.?)?[ \t]?(?=[A-Z\d-]{0,12}\d)[A-Z\d]/i;
const leads = 2.2;
const names: ReadonlySet<Meaning> = new Set(['code', 'pin', 'password']);
const reachBefore = 600;
const reachAfter = 400;
const nearMax = 400;
const linesBefore = 4;
const linesAfter = 3;
const directGap = 22;
/** "The code that you asked for: 4821", "We sent a code: 4821" are not codes of something else. */
const relative =
  /^,?\s(?:(?:that|which|you|we|der|die|den|welche[rn]?|qui|que|che|dat|który|którego|который|котор(?:ый|ого)|який|що|yang|mà)\s|(?:geschickt|gesendet|zugesandt|angefordert|sent|requested|inviato|richiesto|enviado|solicitado|envoyé|demandé|verstuurd|gestuurd|verzonden|wysłany|отправлен|надіслано)\W{0,3}$)/iu;
/** "Mã kho:", but not "Mã OTP:", "Kod to:", "Cod tău:". */
const shortNoun =
  /^\s(?!(?:otp|sms|pin|tan|mfa|là|is|je|bạn|này|mới|tua|tuo|teu|tău|dvs|din|min|ton|ta|su|tu|vaš|váš|my|to|on|è|é|es|er|är|ir|ini|kau|mu|est|van|de)\s?[:：\t])[\p{Ll}]{2,3}\s?[:：\t]\s*$/iu;
/** "Codice PNR". */
const abbreviation = /^\s(?!SMS|OTP|PIN|TAN|2FA|MFA|TOTP)[A-Z]{2,4}\s?[:\t]?\s?$/;

export function weighWords(place: Place): WordWeight {
  const near = hitsAround(place);
  const afterVerb = followsVerb(place, near);
  const afterColon = followsColon(place);
  const isPredicate = afterVerb || afterColon;
  const weight: WordWeight = {
    support: 0,
    named: 0,
    requested: 0,
    supportedBy: undefined,
    direct: false,
    vague: false,
    afterVerb,
    afterColon,
    against: 0,
    asked: near.some((hit) => asks.has(hit.tag) && isInSentence(place, hit)),
    hasValidity: false,
    leads: false,
    opens: opensSentence(place),
  };
  const isRequested = hasRequestBefore(place, near);
  const pointsBack = refersBack(place);
  const explained = isExplained(
    place,
    near.filter(({ tag }) => tag === 'copula'),
  );
  for (const hit of near) {
    if (hasValueOfItsOwn(place, hit)) continue;
    if (hit.tag === 'valid') weight.hasValidity = true;
    if (hit.tag === 'act' && leadsTo(place, hit, weight.opens)) {
      weight.leads = true;
      if (weight.support < leads) {
        Object.assign(weight, { support: leads, supportedBy: hit.tag, direct: true });
      }
    }
    // The "in" of "Vul 4821 in" is part of a verb; that of "2500 recipes in 30 minutes" is not.
    if (hit.tag === 'typeLast' && hit.end - hit.start <= 3 && !isRequested) continue;
    const isMeant = (pointsBack && isNamedBefore(place, hit)) || (explained && isAskedAfter(place, hit));
    const direct = isMeant || isDirect(place, hit) || (afterColon && isRequestFor(place, hit));
    const isApart = !direct && (hit.tag === 'typeNext' || hit.tag === 'typeLast');
    const base = weights[isApart ? 'enter' : hit.tag];
    if (base === undefined) continue;
    const vague = hit.tag === 'weak' && !afterVerb && namesSomethingUnknown(place, hit, near);
    const bonus = direct && hit.tag !== 'act' && hit.tag !== 'owned' && !vague ? 1.2 : 0;
    const reach = isMeant ? 0.95 : closeness(place, hit, isPredicate);
    const value = base * reach * (vague ? 0.6 : 1) + bonus;
    if (asks.has(hit.tag)) weight.requested = Math.max(weight.requested, value);
    else if (hit.tag !== 'act' && hit.tag !== 'approval') weight.named = Math.max(weight.named, value);
    if (value > weight.support) {
      weight.support = value;
      weight.supportedBy = hit.tag;
      weight.direct = direct;
      weight.vague = vague || hit.tag === 'owned';
    }
  }
  weight.against = weighAgainst(place, near, weight);
  return weight;
}

// "Nairobi 00100 · PIN P051842917X": a label after a separator that has a value belongs to that one.
function hasValueOfItsOwn({ candidate, source }: Place, { tag, start, end }: MeaningHit): boolean {
  if (start < candidate.end || !(names.has(tag) || tag === 'weak')) return false;
  if (!separator.test(source.text.slice(candidate.end, Math.min(start, candidate.end + 80)))) return false;
  return ownValue.test(source.text.slice(end, end + 24));
}

function hitsAround({ source, candidate, lineIndex }: Place): MeaningHit[] {
  const first = source.lines[Math.max(0, lineIndex - linesBefore)]?.start ?? 0;
  const last =
    source.lines[Math.min(source.lines.length - 1, lineIndex + linesAfter)]?.end ?? source.text.length;
  const from = Math.max(first, candidate.start - reachBefore);
  const to = Math.min(last, candidate.end + reachAfter);
  const near: MeaningHit[] = [];
  for (let i = firstAtOrAfter(source.hits, from); i < source.hits.length && near.length < nearMax; i++) {
    const hit = source.hits[i];
    if (!hit || hit.start >= to) break;
    if (hit.end <= candidate.start || hit.start >= candidate.end) near.push(hit);
  }
  return near;
}

/** Returns how much of a word's weight reaches the candidate, 0 to 1. */
function closeness(place: Place, hit: MeaningHit, isPredicate: boolean): number {
  const { candidate, line } = place;
  const before = hit.end <= candidate.start;
  const between = numbersBetween(place, hit) > 0 ? (before ? 0.6 : 0.45) : 1;
  if (hit.start >= line.start && hit.start < line.end) {
    const gap = before ? candidate.start - hit.end : hit.start - candidate.end;
    const text = before
      ? place.source.text.slice(hit.end, candidate.start)
      : place.source.text.slice(candidate.end, hit.start);
    if (before && isPredicate && !sentenceEnd.test(text)) return 0.95;
    return fade(gap) * (before ? 1 : 0.95) * between * acrossSentences(text, before);
  }
  return byLines(place, hit, before) * between;
}

// "Sign in with this code. 739105" still names the number; "We sent a code. Mumbai 400001" does not.
function acrossSentences(gap: string, before: boolean): number {
  if (!sentenceEnd.test(gap)) return 1;
  if (!before) return 0.6;
  return /[.!?。！？।؟][^\p{L}]*$/u.test(gap) ? 0.8 : 0.55;
}

function fade(gap: number): number {
  if (gap <= 25) return 1;
  if (gap <= 60) return 0.92;
  if (gap <= 120) return 0.75;
  return gap <= 250 ? 0.5 : 0.2;
}

function byLines(place: Place, hit: MeaningHit, before: boolean): number {
  const hitLine = lineOf(place, hit.start);
  const distance = Math.abs(hitLine - place.lineIndex);
  if (before) {
    const scale =
      place.alone >= 1
        ? [1, 0.9, 0.75, 0.6]
        : place.alone > 0
          ? [0.85, 0.55, 0.4, 0.2]
          : [0.5, 0.3, 0.15, 0.1];
    return scale[distance - 1] ?? 0;
  }
  const scale = place.alone >= 1 ? [0.85, 0.65, 0.45] : place.alone > 0 ? [0.35, 0.2, 0] : [0.2, 0.1, 0];
  return scale[distance - 1] ?? 0;
}

function numbersBetween({ candidate, all }: Place, hit: MeaningHit): number {
  const from = Math.min(hit.end, candidate.end);
  const to = Math.max(hit.start, candidate.start);
  let count = 0;
  for (let i = firstAtOrAfter(all, from); i < all.length; i++) {
    const other = all[i];
    if (!other || other.end > to) break;
    if (other.start !== candidate.start && other.shape !== 'letters') count++;
  }
  return count;
}

function isDirect({ candidate, source, line, all }: Place, hit: MeaningHit): boolean {
  if (hit.start < line.start || hit.start >= line.end) return false;
  const before = hit.end <= candidate.start;
  if (hit.tag === (before ? 'typeLast' : 'typeNext')) return false;
  const gap = before
    ? source.text.slice(hit.end, candidate.start)
    : source.text.slice(candidate.end, hit.start);
  if (gap.length > (before ? directGap : 16) || sentenceEnd.test(gap) || /\d/.test(gap)) return false;
  return all.length < 2 || numbersBetween({ candidate, source, line, all } as Place, hit) === 0;
}

/** Reports whether the sentence or line before the one that refers back names a code. */
function isNamedBefore({ source, candidate, lineIndex }: Place, { tag, start, end }: MeaningHit): boolean {
  const above = source.lines[Math.max(0, lineIndex - 1)]?.start ?? 0;
  return names.has(tag) && start >= above && end <= candidate.start;
}

// "5139: this is the number, sir, that you type in the app".
function isAskedAfter({ source, candidate, line }: Place, { tag, start }: MeaningHit): boolean {
  if (!asks.has(tag) || start < candidate.end || start >= line.end) return false;
  const gap = source.text.slice(candidate.end, start);
  return gap.length <= 80 && !sentenceEnd.test(gap) && !/\d/.test(gap);
}

function hasRequestBefore({ candidate, line }: Place, near: readonly MeaningHit[]): boolean {
  return near.some(({ tag, start, end }) => {
    return (tag === 'enter' || tag === 'typeNext') && start >= line.start && end <= candidate.start;
  });
}

// "Inserire entro 10 minuti: 448 217": the colon ends the request, whatever is in between.
function isRequestFor(place: Place, hit: MeaningHit): boolean {
  if (hit.tag !== 'typeNext' || hit.end > place.candidate.start || !isInSentence(place, hit)) return false;
  // "Enter the contest: 2500 recipes" counts something.
  return !/^ ?\p{L}/u.test(place.source.text.slice(place.candidate.end, place.candidate.end + 2));
}

// "Code of the hall: 4821": words between a bare "code" and the number say what it belongs to.
function namesSomethingUnknown(
  { candidate, source, line }: Place,
  hit: MeaningHit,
  near: readonly MeaningHit[],
): boolean {
  if (hit.start < line.start || hit.end > candidate.start) return false;
  const gap = source.text.slice(hit.end, Math.min(candidate.start, hit.end + 80));
  if (abbreviation.test(gap) || shortNoun.test(gap)) return true;
  if (gap.replace(/[^\p{L}]/gu, '').length <= 3 || relative.test(gap)) return false;
  return !near.some(
    ({ tag, start, end }) => weights[tag] !== undefined && start >= hit.end && end <= candidate.start,
  );
}
