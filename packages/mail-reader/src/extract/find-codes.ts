// Finds one-time codes in a message: the entry point of code extraction.
// Called with decoded, untrusted parts by the reading side; a pure function, linear in the size of its input.
import { type CodeKind, listedKinds } from './code-kinds.ts';
import { createCodeSources, type CodeSource, type ReadText } from './code-source.ts';
import { findCandidates, type Candidate } from './find-candidates.ts';
import { findPasswords } from './find-passwords.ts';
import { cleanText } from './fold-text.ts';
import { cutBetweenWords } from '../text/clean-text.ts';
import { isForPickup } from './pickup.ts';
import { isReply, splitQuoted } from './quoted-text.ts';
import { type ApartText, readHtml } from './read-html.ts';
import { type Described, describeValues, featureNames, type ReadMail } from './model/features.ts';
import { type Judgement, judgeValue, leastShown } from './model/trees.ts';
import { type MessageWords, readMessageWords } from './message-words.ts';
import { isBound, isCountOfCodes, isLineOfFile, isLineOfLog } from './reference-number.ts';
import type { Place, WordWeight } from './place.ts';
import { scoreCandidates, weighCandidates, type Scored } from './score-candidate.ts';

export interface FoundCode {
  /** The text to type: groups joined, the sender's mark removed. */
  readonly value: string;
  readonly kind: CodeKind;
  /** From 0 to 1; at 0.8 and above it may be shown as the code. */
  readonly confidence: number;
  /** Up to 120 characters around the code, on one line. */
  readonly context: string;
}

interface CodeInput {
  readonly subject: string;
  readonly text: string;
  /** Raw HTML, untrusted. */
  readonly html: string | null;
  readonly senderName: string;
  readonly senderEmail: string;
}

const subjectMax = 998;
/** Characters of text that are searched at once. */
const textMax = 64 * 1024;
/** Further pieces of a long text: the next ones, and always the last. */
const piecesMax = 7;
/** A code and its words may stand where two pieces meet. */
const overlap = 2_048;
const foundMax = 20;
/** The least confidence at which lists show a code: a wrong one is worse than none. */
export const codeConfidence = 0.8;
/** Below this it is more likely wrong than right. */
const leastConfidence = 0.5;
/** A mail with fewer words of its own only passes on what it quotes. */
const leastWords = 3;
/** In scripts without spaces two letters count as one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,2}|\p{L}{2,}/gu;
const contextLength = 120;
/** The confidence of a recovery code among others: each is one, and none is the one to type. */
const oneOfList = 0.6;
/** Log-odds of the rules at which they are certain: against a value, for it, and its lead over the next. */
const [certainAgainst, certainScore, certainLead] = [6, 3.2, 8] as const;
/** Log-odds against a value from which on trees alone do not make it a code. */
const doubtfulAgainst = 4;
/** The least score and confidence of the trees with which values that lead so far are shown. */
const leads = [
  { isNamed: true, score: certainScore, confidence: 0.05 },
  { isNamed: false, score: certainScore, confidence: 0.4 },
  { isNamed: false, score: 2.5, confidence: 0.6 },
] as const;
const leadAt = featureNames.indexOf('lead');
/** The weight of a subject that names a code. */
const namedInSubject = 4;
/** Lone surrogates that a cut left at the ends. */
const cutPairs = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;
const seenTwice = 0.6;
const seenInSubject = 1.2;

/** Returns the codes of a message, best first, each value once, those of quoted mail last; empty if none. Never throws. */
export function findCodes(input: CodeInput): FoundCode[] {
  const { fresh, quoted } = readTexts(input);
  const own = findIn(fresh, input.senderName);
  const known = new Set(own.map(({ value }) => value));
  const others = quoted.length === 0 ? [] : findIn(quoted, input.senderName);
  const repeated = others
    .filter(({ value }) => !known.has(value))
    .map((code) => ({ ...code, kind: 'quoted' as const }));
  return [...own, ...repeated].slice(0, foundMax);
}

/** Returns the code that lists show, or undefined. */
export function findListedCode(codes: readonly FoundCode[]): FoundCode | undefined {
  return codes.find(({ kind, confidence }) => confidence >= codeConfidence && listedKinds.has(kind));
}

/** Returns the features of the values that the model judges, for training and measuring it. */
export function describeCandidates(input: CodeInput): Described[] {
  return readValues(readTexts(input).fresh, input.senderName)
    .filter(({ byRules }) => byRules === undefined)
    .map(({ described }) => described);
}

/** Returns what the rules alone find in the new text, to compare. */
export function findCodesByRules(input: CodeInput): FoundCode[] {
  return scoreTexts(readTexts(input).fresh, input.senderName)
    .merged.map((scored) => toFoundCode(scored, shareOf(scored.score)))
    .filter(({ confidence }) => confidence >= leastConfidence);
}

function findIn(texts: readonly ReadText[], senderName: string): FoundCode[] {
  const found = readValues(texts, senderName).map(({ described, scored, byRules, isDoubted, liftedFrom }) => {
    const least = Math.min(liftedFrom, leastConfidence);
    const { sum, confidence } = byRules ?? (isDoubted ? none : judgeValue(described.features, least));
    const form = scored ?? { ...described.top.place, kind: 'otp' as const };
    const isLifted = confidence >= liftedFrom;
    return { sum, code: toFoundCode(form, isLifted ? Math.max(confidence, leastShown) : confidence) };
  });
  return found
    .filter(({ code }) => code.confidence >= leastConfidence)
    .sort((a, b) => b.code.confidence - a.code.confidence || b.sum - a.sum)
    .map(({ code }) => code);
}

interface ReadValue {
  readonly described: Described;
  readonly scored: Scored | undefined;
  /** The decision that needs no trees. */
  readonly byRules: Judgement | undefined;
  /** Whether the rules doubt it, and trees err about such values. */
  readonly isDoubted: boolean;
  /** From which confidence of the trees on it is shown, since the rules are certain of it; infinite if they are not. */
  readonly liftedFrom: number;
}

const none: Judgement = { sum: 0, confidence: 0 };

function readValues(texts: readonly ReadText[], senderName: string): ReadValue[] {
  const { mail, merged } = scoreTexts(texts, senderName);
  const scoredOf = new Map(merged.map((scored) => [scored.candidate.value, scored]));
  return describeValues(mail).map((described) => {
    const scored = scoredOf.get(described.value);
    const byRules = scored && judgeByRules(described, scored, mail.words);
    const isDoubted = isDoubtedByRules(described, scored, mail.words);
    const liftedFrom = scored && !byRules ? lift(described, scored, mail.words) : Infinity;
    return { described, scored, byRules, isDoubted, liftedFrom };
  });
}

function scoreTexts(texts: readonly ReadText[], senderName: string): { mail: ReadMail; merged: Scored[] } {
  const sources = createCodeSources(texts, senderName);
  const words = readMessageWords(sources);
  const found = sources.map((source) => collectCandidates(source, senderName));
  words.hasOneNumber = countValues(found.flat()) === 1;
  const occurrences = sources.flatMap((source, i) => weighCandidates(source, found[i] ?? []));
  const merged = mergeByValue(scoreCandidates(occurrences, words));
  const scores = new Map(merged.map(({ candidate, score }) => [candidate.value, score]));
  return { mail: { sources, words, occurrences, scores }, merged };
}

/** The rules decide about what only a name makes a code, and where they are certain that a value is none. */
function judgeByRules(
  { top: { place, weight } }: Described,
  { kind, score, candidate, isListed }: Scored,
  words: MessageWords,
): Judgement | undefined {
  if (kind === 'backup' && isListed) return { sum: score, confidence: oneOfList };
  if (kind === 'backup' || candidate.shape === 'manyGroups') {
    return { sum: score, confidence: shareOf(score) };
  }
  const isExcluded =
    (weight.against >= certainAgainst && score < 0) ||
    isBound(place) ||
    isLineOfFile(place) ||
    isNetworkPassword(place, weight, words);
  // "Bayi kodu: 482913": the code of a dealer, in the footer of any mail.
  const isOwned = weight.supportedBy === 'owned' && weight.direct && weight.afterColon;
  return isExcluded || isOwned ? { sum: score, confidence: 0 } : undefined;
}

/** "Guest Wi-Fi" as the subject, "Password: Sunny4829": the key of a network, which opens no account. */
function isNetworkPassword({ candidate }: Place, { supportedBy }: WordWeight, words: MessageWords): boolean {
  const isPassword = supportedBy === 'password' || candidate.shape === 'password';
  return words.isOfNetwork && isPassword && !words.hasPurpose && !words.hasValidity;
}

/** The trees see too little of some values that the rules doubt. */
function isDoubtedByRules(
  { value, top: { place, weight } }: Described,
  scored: Scored | undefined,
  words: MessageWords,
): boolean {
  if (isLineOfLog(place) || isCountOfCodes(place) || (scored === undefined && isLikeWords(value))) {
    return true;
  }
  if (scored !== undefined && scored.score >= 0) return false;
  // "Confirmation code: RF3US2" names a reservation, "Ticket 482917: no code arrives" a ticket.
  return words.occasionWords > 0 || weight.against >= doubtfulAgainst;
}

/** "FREE-SHIP"; codes for devices have few vowels. */
function isLikeWords(value: string): boolean {
  return /^[A-Z]+(?:-[A-Z]+)+$/.test(value) && value.replace(/[^AEIOU]/g, '').length > 2;
}

/** Returns the least confidence of the trees from which on the rules show it. */
function lift(
  { top: { place, weight }, features }: Described,
  { score, source }: Scored,
  words: MessageWords,
): number {
  // "Enter the number in the subject line".
  if (words.isInSubject && words.hasOneNumber && source.name === 'subject' && score > 0) return 0;
  if (weight.against >= 1) return Infinity;
  // "Your login code" as the subject, and one number, of six digits, on a line of its own.
  const isAlone = words.hasOneNumber && place.alone === 2 && place.candidate.value.length === 6;
  if (isAlone && words.subjectWeight >= namedInSubject && score >= certainScore) return 0;
  if ((features[leadAt] ?? 0) < certainLead) return Infinity;
  const hasName = weight.direct && weight.supportedBy === 'code';
  const lead = leads.find(({ isNamed, score: least }) => score >= least && (hasName || !isNamed));
  return lead?.confidence ?? Infinity;
}

function shareOf(logOdds: number): number {
  return Math.round(100 / (1 + Math.exp(-logOdds))) / 100;
}

/** Returns the codes in what `findCodes` does not reach of a long text, from the first piece that has one. */
export function findLateCodes(
  text: string,
  sender: Pick<CodeInput, 'senderName' | 'senderEmail'>,
  leastConfidence: number,
): FoundCode[] {
  const { fresh } = splitQuoted(text, false);
  const step = textMax - overlap;
  const starts: number[] = [];
  for (let at = step; at + overlap < fresh.length && starts.length < piecesMax; at += step) starts.push(at);
  const last = fresh.length - textMax;
  if (starts.length === piecesMax) starts[piecesMax - 1] = Math.max(last, starts.at(-1) ?? 0);
  for (const start of starts) {
    // The first word may be the end of one.
    const piece = fresh.slice(start, start + 2 * textMax).replace(/^\S{1,256}/, '');
    const found = findCodes({ subject: '', text: piece, html: null, ...sender });
    const sure = found.filter(({ confidence }) => confidence >= leastConfidence);
    if (sure.length > 0) return sure;
  }
  return [];
}

/** The texts of a message, and apart from them what they quote of others. */
function readTexts(input: CodeInput): Record<'fresh' | 'quoted', ReadText[]> {
  const subject = cleanText(input.subject.slice(0, subjectMax)).replaceAll('\n', ' ');
  const isAnswer = isReply(subject);
  const fresh: ReadText[] = [];
  const quoted: ReadText[] = [];
  const whole: ReadText[] = [];
  const add = (text: ReadText, apart: readonly ApartText[] = []): void => {
    whole.push(text);
    const split = splitQuoted(text.clean, isAnswer, apart);
    fresh.push({ ...text, clean: split.fresh });
    if (split.quoted.trim() !== '') quoted.push({ name: text.name, clean: split.quoted });
  };
  if (input.text !== '') add({ name: 'text', clean: cleanText(cutBetweenWords(input.text, textMax)) });
  if (input.html !== null && input.html !== '') {
    const html = readHtml(input.html);
    add({ name: 'html', clean: html.text, look: html }, html.apart);
    if (html.hiddenText.trim() !== '') fresh.push({ name: 'hidden', clean: html.hiddenText });
  }
  // Forwarded without a word: what it forwards is the mail.
  if (quoted.length > 0 && fresh.every(({ clean }) => !hasWords(clean))) {
    return { fresh: [{ name: 'subject', clean: subject }, ...whole], quoted: [] };
  }
  // "Fwd: 482913 is your code": the subject is that of the mail below.
  const subjects = isAnswer && quoted.length > 0 ? quoted : fresh;
  subjects.unshift({ name: 'subject', clean: subject });
  return { fresh, quoted };
}

function hasWords(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(word)) if (++count === leastWords) return true;
  return false;
}

function collectCandidates(source: CodeSource, senderName: string): Candidate[] {
  const passwords = findPasswords(source);
  // The digits of "Sifa.7720" are no code of their own.
  const isPart = ({ start, end }: Candidate): boolean =>
    passwords.some(
      (whole) => start >= whole.start && end <= whole.end && end - start < whole.end - whole.start,
    );
  const candidates = [...findCandidates(source.text).filter((one) => !isPart(one)), ...passwords];
  return cutSenderMark(
    candidates.sort((a, b) => a.start - b.start),
    senderName,
  );
}

function countValues(candidates: readonly Candidate[]): number {
  const values = new Set<string>();
  for (const { value } of candidates) if (/\d/.test(value) && !/^(19|20)\d\d$/.test(value)) values.add(value);
  return values.size;
}

// "ACME-123456" from Acme: the mark is not typed. One or two letters are removed for any sender.
function cutSenderMark(candidates: Candidate[], senderName: string): Candidate[] {
  const sender = senderName
    .slice(0, subjectMax)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return candidates.map((candidate) => {
    if (candidate.shape !== 'hyphened' || candidate.prefix === '') return candidate;
    const tail = candidate.value.slice(candidate.prefix.length).replaceAll('-', '');
    if (tail.length < 4 || !sender.startsWith(candidate.prefix.toLowerCase())) return candidate;
    return { ...candidate, value: tail, shape: 'grouped' };
  });
}

function mergeByValue(scored: readonly Scored[]): Scored[] {
  const best = new Map<string, { top: Scored; sources: Set<string>; isClear: boolean }>();
  for (const item of scored) {
    const key = item.candidate.value;
    const known = best.get(key);
    if (!known) best.set(key, { top: item, sources: new Set([item.source.name]), isClear: item.isClear });
    else {
      known.sources.add(item.source.name);
      if (item.isClear) known.isClear = true;
      if (item.score > known.top.score) known.top = item;
    }
  }
  const merged = [...best.values()].map(({ top, sources, isClear }) => {
    // "Followers: 482913" is not a code because subject and text agree.
    if (!isClear) return top;
    const inSubject = sources.has('subject') && sources.size > 1;
    return { ...top, score: top.score + (inSubject ? seenInSubject : sources.size > 1 ? seenTwice : 0) };
  });
  return merged.sort((a, b) => b.score - a.score);
}

function toFoundCode(
  { candidate, source, kind: form }: Pick<Scored, 'candidate' | 'source' | 'kind'>,
  confidence: number,
): FoundCode {
  const isPickup = (form === 'otp' || form === 'pin') && isForPickup(source, candidate);
  const kind = isPickup ? 'pickup' : form;
  return { value: candidate.value, kind, confidence, context: contextOf(source.text, candidate) };
}

function contextOf(text: string, { start, end }: { start: number; end: number }): string {
  const room = Math.max(0, contextLength - (end - start));
  const from = Math.max(0, start - Math.ceil(room / 2));
  return text
    .slice(from, from + contextLength)
    .replace(cutPairs, '')
    .replace(/\s+/g, ' ')
    .trim();
}
