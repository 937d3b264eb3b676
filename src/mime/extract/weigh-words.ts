// Weighs the keywords around a candidate: what speaks for a code, what says that the number is something else.
// Called by score-candidate.ts. Distances are in characters of clean text; weights add up as log-odds.
import type { Candidate } from './find-candidates.ts';
import { firstAtOrAfter, type CodeSource, type Line } from './code-source.ts';
import type { Meaning, MeaningHit } from './match-words.ts';
import { isExplained, leadsTo, opensSentence } from './opening-sentence.ts';
import { isEndingOfNumber, isExample, isInAnnouncement } from './part-of-label.ts';
import { refersBack } from './refers-back.ts';

/** Where a candidate stands in its source. */
export interface Place {
  source: CodeSource;
  candidate: Candidate;
  /** All candidates of the source, in order. */
  all: readonly Candidate[];
  line: Line;
  lineIndex: number;
  /** Nothing else on the line (2), in the table cell (1), or first on the line (0.5), else 0. */
  alone: number;
}

export interface WordWeight {
  /** Strongest evidence for a code, 0 to about 5. */
  support: number;
  /** Meaning of the word that gave it. */
  supportedBy: Meaning | undefined;
  /** The word and the value touch: "code: 123456", "123456 is your code". */
  direct: boolean;
  /** A verb joins a name to it: "… is 123456". */
  afterVerb: boolean;
  /** A colon stands before it. */
  afterColon: boolean;
  /** Evidence for something else. */
  against: number;
  /** The sentence asks the reader to type or to tell it. */
  asked: boolean;
  /** A phrase on validity or secrecy stands near. */
  hasValidity: boolean;
  /** The sentence opens with it and says what it is for: "61180 to confirm". */
  leads: boolean;
  /** As `leads`, whatever it is for. */
  opens: boolean;
}

const WEIGHTS: Partial<Record<Meaning, number>> = {
  code: 4,
  pin: 3.2,
  weak: 2.8,
  password: 2.8,
  backup: 2.8,
  approval: 3,
  enter: 1.6,
  typeNext: 2.4,
  typeLast: 2.4,
  act: 1.5,
};
const LEADS = 2.2;
const NAMES: ReadonlySet<Meaning> = new Set(['code', 'pin', 'password']);
const ASKS: ReadonlySet<Meaning> = new Set(['enter', 'typeNext', 'typeLast']);
const REACH_BEFORE = 600;
const REACH_AFTER = 400;
const MAX_NEAR = 400;
const LINES_BEFORE = 4;
const LINES_AFTER = 3;
const DIRECT_GAP = 22;
/** "contract n. 77120" goes on behind its dot. */
const SENTENCE_END =
  /(?<!(?:^|[\s(])(?:n|nr|no|num|núm|art|ref|réf|rif|tel|tél|p|pt|op|dok|док|арт|тел|ст|д|ул))[.](?=\s)|[!?](?=\s)|[。！？।؟]/iu;
/** "The code that you asked for: 4821", "We sent a code: 4821" is the code of nothing else. */
const RELATIVE =
  /^,?\s(?:(?:that|which|you|we|der|die|den|welche[rn]?|qui|que|che|dat|który|którego|который|котор(?:ый|ого)|який|що|yang|mà)\s|(?:geschickt|gesendet|zugesandt|angefordert|sent|requested|inviato|richiesto|enviado|solicitado|envoyé|demandé|verstuurd|gestuurd|verzonden|wysłany|отправлен|надіслано)\W{0,3}$)/iu;
/** "15 % off", before or behind a code within its sentence. */
const PERCENT = /\d\s?[%٪％]|[%٪％]\s?\d/;

export function weighWords(place: Place): WordWeight {
  const near = hitsAround(place);
  const afterVerb = followsVerb(place, near);
  const afterColon = followsColon(place);
  const isPredicate = afterVerb || afterColon;
  const weight: WordWeight = {
    support: 0,
    supportedBy: undefined,
    direct: false,
    afterVerb,
    afterColon,
    against: 0,
    asked: near.some((hit) => ASKS.has(hit.tag) && isInSentence(place, hit)),
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
    if (hit.tag === 'valid') weight.hasValidity = true;
    if (hit.tag === 'act' && leadsTo(place, hit, weight.opens)) {
      weight.leads = true;
      if (weight.support < LEADS) {
        Object.assign(weight, { support: LEADS, supportedBy: hit.tag, direct: true });
      }
    }
    // The "in" of "Vul 4821 in" is half a verb; that of "2500 recipes in 30 minutes" is none.
    if (hit.tag === 'typeLast' && hit.end - hit.start <= 3 && !isRequested) continue;
    const isMeant = (pointsBack && isNamedBefore(place, hit)) || (explained && isAskedAfter(place, hit));
    const direct = isMeant || isDirect(place, hit) || (afterColon && isRequestFor(place, hit));
    const isApart = !direct && (hit.tag === 'typeNext' || hit.tag === 'typeLast');
    const base = WEIGHTS[isApart ? 'enter' : hit.tag];
    if (base === undefined) continue;
    const vague = hit.tag === 'weak' && !afterVerb && namesSomethingUnknown(place, hit, near);
    const bonus = direct && hit.tag !== 'act' && !vague ? 1.2 : 0;
    const reach = isMeant ? 0.95 : closeness(place, hit, isPredicate);
    const value = base * reach * (vague ? 0.6 : 1) + bonus;
    if (value > weight.support) {
      weight.support = value;
      weight.supportedBy = hit.tag;
      weight.direct = direct;
    }
  }
  weight.against = weighAgainst(place, near, weight);
  return weight;
}

function hitsAround({ source, candidate, lineIndex }: Place): MeaningHit[] {
  const first = source.lines[Math.max(0, lineIndex - LINES_BEFORE)]?.start ?? 0;
  const last =
    source.lines[Math.min(source.lines.length - 1, lineIndex + LINES_AFTER)]?.end ?? source.text.length;
  const from = Math.max(first, candidate.start - REACH_BEFORE);
  const to = Math.min(last, candidate.end + REACH_AFTER);
  const near: MeaningHit[] = [];
  for (let i = firstAtOrAfter(source.hits, from); i < source.hits.length && near.length < MAX_NEAR; i++) {
    const hit = source.hits[i];
    if (!hit || hit.start >= to) break;
    if (hit.end <= candidate.start || hit.start >= candidate.end) near.push(hit);
  }
  return near;
}

// "The code for the payment of 50,00 EUR with card 4471 is 739105": whatever lies between, the verb tells.
function followsVerb({ candidate, source }: Place, near: readonly MeaningHit[]): boolean {
  return near.some(({ tag, end }) => {
    if (tag !== 'copula' || end > candidate.start) return false;
    return /^[\s"'(【[「『“:]{0,3}$/.test(source.text.slice(end, candidate.start));
  });
}

function followsColon({ candidate, source }: Place): boolean {
  return /:[\s"'(【[「『“]{0,3}$/.test(source.text.slice(Math.max(0, candidate.start - 5), candidate.start));
}

/** How much of a word's weight reaches the candidate, 0 to 1. */
function closeness(place: Place, hit: MeaningHit, isPredicate: boolean): number {
  const { candidate, line } = place;
  const before = hit.end <= candidate.start;
  const between = numbersBetween(place, hit) > 0 ? (before ? 0.6 : 0.45) : 1;
  if (hit.start >= line.start && hit.start < line.end) {
    const gap = before ? candidate.start - hit.end : hit.start - candidate.end;
    const text = before
      ? place.source.text.slice(hit.end, candidate.start)
      : place.source.text.slice(candidate.end, hit.start);
    if (before && isPredicate && !SENTENCE_END.test(text)) return 0.95;
    return fade(gap) * (before ? 1 : 0.95) * between * acrossSentences(text, before);
  }
  return byLines(place, hit, before) * between;
}

// "Sign in with this code. 739105" still names the number; "We sent a code. Mumbai 400001" does not.
function acrossSentences(gap: string, before: boolean): number {
  if (!SENTENCE_END.test(gap)) return 1;
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

function lineOf(place: Place, offset: number): number {
  const { lines } = place.source;
  const next = firstAtOrAfter(lines, offset + 1);
  return next - 1;
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
  if (gap.length > (before ? DIRECT_GAP : 16) || SENTENCE_END.test(gap) || /\d/.test(gap)) return false;
  return all.length < 2 || numbersBetween({ candidate, source, line, all } as Place, hit) === 0;
}

/** The sentence or the line before the one that points back names a code. */
function isNamedBefore({ source, candidate, lineIndex }: Place, { tag, start, end }: MeaningHit): boolean {
  const above = source.lines[Math.max(0, lineIndex - 1)]?.start ?? 0;
  return NAMES.has(tag) && start >= above && end <= candidate.start;
}

// "5139: this is the number, sir, that you type in the app".
function isAskedAfter({ source, candidate, line }: Place, { tag, start }: MeaningHit): boolean {
  if (!ASKS.has(tag) || start < candidate.end || start >= line.end) return false;
  const gap = source.text.slice(candidate.end, start);
  return gap.length <= 80 && !SENTENCE_END.test(gap) && !/\d/.test(gap);
}

function hasRequestBefore({ candidate, line }: Place, near: readonly MeaningHit[]): boolean {
  return near.some(({ tag, start, end }) => {
    return (tag === 'enter' || tag === 'typeNext') && start >= line.start && end <= candidate.start;
  });
}

// "Inserire entro 10 minuti: 448 217": whatever lies between, the colon ends the request.
function isRequestFor(place: Place, hit: MeaningHit): boolean {
  if (hit.tag !== 'typeNext' || hit.end > place.candidate.start || !isInSentence(place, hit)) return false;
  // "Enter the contest: 2500 recipes" counts something.
  return !/^ ?\p{L}/u.test(place.source.text.slice(place.candidate.end, place.candidate.end + 2));
}

function isInSentence({ candidate, source, line }: Place, hit: MeaningHit): boolean {
  if (hit.start < line.start || hit.start >= line.end) return false;
  const before = hit.end <= candidate.start;
  const gap = source.text.slice(before ? hit.end : candidate.end, before ? candidate.start : hit.start);
  return gap.length <= 80 && !SENTENCE_END.test(gap) && !/[,;，、،；]/.test(gap);
}

// "Code of the hall: 4821": words between a bare "code" and the number say what it is the code of.
function namesSomethingUnknown(
  { candidate, source, line }: Place,
  hit: MeaningHit,
  near: readonly MeaningHit[],
): boolean {
  if (hit.start < line.start || hit.end > candidate.start) return false;
  const gap = source.text.slice(hit.end, Math.min(candidate.start, hit.end + 80));
  if (gap.replace(/[^\p{L}]/gu, '').length <= 3 || RELATIVE.test(gap)) return false;
  return !near.some(
    ({ tag, start, end }) => WEIGHTS[tag] !== undefined && start >= hit.end && end <= candidate.start,
  );
}

const AGAINST: ReadonlySet<Meaning> = new Set(['other', 'coupon', 'stale']);

function weighAgainst(place: Place, near: readonly MeaningHit[], weight: WordWeight): number {
  let against = weighLabel(place, near, weight.support);
  against += weighAfter(place, near);
  // "Show the collection code 4827 at the till": coupons have letters.
  const isNamed = weight.supportedBy === 'code' && weight.direct && /^\d+$/.test(place.candidate.value);
  against += weighCoupons(place, near) * (isNamed ? 0.3 : 1);
  against += weighStale(place, near);
  if (isEndingOfNumber(place, near)) against += 6;
  if (isInAnnouncement(place)) against += 4;
  if (isExample(place, near)) against += 6;
  return against;
}

// "Order number: 12345": the last label before the number names it, if no other number lies between.
function weighLabel(place: Place, near: readonly MeaningHit[], support: number): number {
  const label = lastLabel(place, near);
  if (!label) return 0;
  const { candidate, line } = place;
  const onLine = label.end > line.start;
  const gap = candidate.start - label.end;
  if (!AGAINST.has(label.tag)) return 0;
  if (/\d/.test(place.source.text.slice(label.end, candidate.start))) return 0;
  if (onLine && isComplement(place, near)) return 1;
  if (!onLine) return place.alone >= 0.5 ? weighHeading(place, label, near) * (support >= 2.8 ? 0.3 : 1) : 0;
  const strength = gap <= 12 ? 5.5 : gap <= 30 ? 4 : gap <= 60 ? 2.5 : 0.8;
  // "Use this code to verify your phone number: 123456" names the code first.
  return gap <= 1 || support < 2.8 ? strength : strength * (support < 3.5 ? 0.45 : gap > 1 ? 0.2 : 0.3);
}

// "The PIN to complete your order is 6081": the name of the code is what the verb speaks of, the order is beside it.
function isComplement(place: Place, near: readonly MeaningHit[]): boolean {
  const { candidate, source, line } = place;
  // "Give this PIN to the driver when you have the package: 583217" asks for it as well.
  const isAsked = followsColon(place) && near.some((hit) => ASKS.has(hit.tag) && isInSentence(place, hit));
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
      AGAINST.has(hit.tag) ||
      hit.tag === 'code' ||
      hit.tag === 'weak' ||
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
    return WEIGHTS[tag] !== undefined && start >= above.start && end <= above.end;
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

function weighCoupons(place: Place, near: readonly MeaningHit[]): number {
  let weight = isBesidePercent(place) ? 4 : 0;
  for (const hit of near) {
    if (hit.tag !== 'coupon') continue;
    const distance = Math.abs(lineOf(place, hit.start) - place.lineIndex);
    weight = Math.max(weight, distance <= 1 ? 4 : 2);
  }
  return weight;
}

// "Save 15 % with the code LAMP15": letters beside a share of the price, in one sentence.
function isBesidePercent({ candidate, source, line }: Place): boolean {
  if (!/[A-Z]/i.test(candidate.value)) return false;
  const before = source.text.slice(Math.max(line.start, candidate.start - 80), candidate.start);
  const after = source.text.slice(candidate.end, Math.min(line.end, candidate.end + 60));
  return (
    PERCENT.test(before.split(SENTENCE_END).at(-1) ?? '') || PERCENT.test(after.split(SENTENCE_END)[0] ?? '')
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
    if (gap.length <= 60 && !SENTENCE_END.test(gap) && !/\d{4}/.test(gap)) return 3.5;
  }
  return 0;
}
