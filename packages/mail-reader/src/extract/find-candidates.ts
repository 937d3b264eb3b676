// Lists possible one-time codes by form alone: digits, characters in groups, one character per cell. Called by
// find-codes.ts on clean text. Uses no keywords; score-candidate.ts rates the candidates.
import { isPartOfSomethingElse } from './reject-candidate.ts';

export type Shape =
  'digits' | 'grouped' | 'cells' | 'mixed' | 'letters' | 'hyphened' | 'manyGroups' | 'words' | 'password';

export interface Candidate {
  /** The text to type. */
  readonly value: string;
  readonly shape: Shape;
  readonly start: number;
  readonly end: number;
  /** Letters before a hyphen ("G" of G-123456) that may stand for the sender; '' if none. */
  readonly prefix: string;
  /** Whether it is in a row of other numbers. */
  readonly crowded: boolean;
  /**
   * Whether other things have this form more often ("482.913", "PURPLE-TIGER-42"), so that only a name close by makes
   * it a code.
   */
  readonly loose: boolean;
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const tokensMax = 20_000;
const candidatesMax = 600;
const tokenMax = 24;
const lengthMin = 4;
const lengthMax = 10;
const groupsMax = 6;
const digits = /^\d+$/;
const wordLetter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
const [zero, nine, capitalA, capitalZ, smallA, smallZ] = [48, 57, 65, 90, 97, 122] as const;
const codeLetters = /^[A-Z]+$/;
/** "ngu-482913", "yi-4829": the Zulu and Xhosa "is" is written with its noun. */
const particled = /^(?:ngu|ngo|nge|nga|yi|i|u|ku|ke|ka|ay)-\d{4,8}$/;
const wordCode = /(?<![\w@/.%+-])[A-Za-z]{2,12}(?:-[A-Za-z0-9]{1,12}){1,4}(?![\w@/-])/g;
/** "09h10", "14H30", "9h05min", "14u30", "8g30"; codes have capitals or none of these letters. */
const time = /^(?:[01]?\d|2[0-4])(?:[hHug][0-5]\d|h[0-5]\d(?:m|mn|min|p))$/;
const day = /^(?:[0-2]?\d|3[01])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:\d\d|20\d\d)?$/i;
const norm =
  /^(?:SHA|MD|AES|RSA|DES|CRC|UTF|UCS|ISO|IEC|DIN|RFC|IEEE|BASE|IPV|WPA|TLS|HTTP|PBKDF|HMAC|ERC|CVE|COVID|USB|HDMI)-?\d{1,5}$/;
/** Longer runs of digits in groups of uneven sizes joined by hyphens are telephone numbers. */
const unevenMax = 8;
const wordedMax = 24;

export function findCandidates(text: string): Candidate[] {
  const tokens = readTokens(text);
  const found: Candidate[] = [];
  for (let i = 0; i < tokens.length && found.length < candidatesMax;) {
    const cells = countCells(text, tokens, i);
    const length = cells >= lengthMin ? cells : countRun(text, tokens, i);
    const run = tokens.slice(i, i + length);
    const made = cells >= lengthMin ? fromCells(run) : fromRun(text, run);
    for (const candidate of made) if (!isPartOfSomethingElse(text, candidate)) found.push(candidate);
    i += length;
  }
  for (const candidate of findWordCodes(text)) {
    if (!isPartOfSomethingElse(text, candidate)) found.push(candidate);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "snow-rabbit-4821", "sparo-ninku-vebi": lower-case words, usually with a number, joined by hyphens. */
function findWordCodes(text: string): Candidate[] {
  const found: Candidate[] = [];
  if (!text.includes('-')) return found;
  for (const match of text.matchAll(wordCode)) {
    const value = match[0];
    if (found.length >= candidatesMax) break;
    if (particled.test(value)) continue;
    if (!/[a-z]/.test(value) || (!/\d/.test(value) && value.split('-').length < 3)) continue;
    const start = match.index;
    found.push({ ...toCandidate(value, 'words', { start, end: start + value.length }), loose: true });
  }
  return found;
}

// Lower-case words cannot be part of a code and are left out; the gap they leave separates their neighbours.
function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  // A manual loop: a match object for every word would cost more than everything else.
  for (let at = 0; at < text.length && tokens.length < tokensMax; at++) {
    const start = at;
    let hasDigit = false;
    let hasSmall = false;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= smallA && unit <= smallZ) hasSmall = true;
      else if (unit >= zero && unit <= nine) hasDigit = true;
      else if (unit < capitalA || unit > capitalZ) break;
    }
    if (at === start || at - start > tokenMax || (hasSmall && !hasDigit)) continue;
    // The "Y" of "Yêu" is not a single character.
    if (wordLetter.test(text.charAt(start - 1)) || wordLetter.test(text.charAt(at))) continue;
    tokens.push({ start, end: at, text: text.slice(start, at) });
  }
  return tokens;
}

function gapAfter(text: string, tokens: readonly Token[], i: number): string | undefined {
  const here = tokens[i];
  const next = tokens[i + 1];
  if (!here || !next || next.start - here.end > 16) return undefined;
  return text.slice(here.end, next.start);
}

/** Returns how many tokens from `i` are single characters separated only by white space (or the same dash or bar). */
function countCells(text: string, tokens: readonly Token[], i: number): number {
  let count = 0;
  let first: string | undefined;
  for (let j = i; tokens[j]?.text.length === 1; j++) {
    count++;
    const gap = gapAfter(text, tokens, j);
    first ??= gap;
    if (gap === undefined || !/^(\s+|\s*[-|·]\s*)$/.test(gap)) break;
    // A row of cells ends at a line break: "3 3 0 1", then "8 Hanover Quay".
    if (gap.includes('\n') && !first?.includes('\n')) break;
  }
  return count;
}

function fromCells(run: readonly Token[]): Candidate[] {
  const value = run.map((token) => token.text).join('');
  if (value.length > lengthMax || !/\d/.test(value)) return [];
  return [build(run, value, 'cells')];
}

/** Returns how many tokens from `i` form groups: "123 456", "123-456", "AB12-CD34". */
function countRun(text: string, tokens: readonly Token[], i: number): number {
  let count = 1;
  for (let j = i; j - i < 12; j++) {
    const gap = gapAfter(text, tokens, j);
    const left = tokens[j]?.text ?? '';
    const right = tokens[j + 1]?.text ?? '';
    const bothDigits = digits.test(left) && digits.test(right);
    const halves = bothDigits && left.length === right.length && (left.length === 3 || left.length === 4);
    const joins =
      gap === '-' ||
      (halves && /^[ \t]{1,4}-[ \t]{1,4}$/.test(gap ?? '')) ||
      (bothDigits && /^( {1,3}|\t|[.·])$/.test(gap ?? ''));
    const pairs = gap === ' ' && count < 4 && isSigns(left) && isSigns(right) && left.length === right.length;
    if (gap === undefined || !(joins || pairs)) break;
    count++;
  }
  return count;
}

// Three or four capitals and digits: a group of "AB12 CD34".
function isSigns(text: string): boolean {
  return (text.length === 3 || text.length === 4) && /^[A-Z0-9]+$/.test(text);
}

function fromRun(text: string, run: readonly Token[]): Candidate[] {
  const first = run[0];
  if (!first) return [];
  if (run.length === 1) return fromSingle(first);
  const gaps = new Set(run.slice(1).map((token, k) => gapKind(text.slice(run[k]?.end ?? 0, token.start))));
  if (run.every((token) => digits.test(token.text))) return fromDigitGroups(text, run, gaps);
  if (gaps.size === 1 && gaps.has('-')) return fromHyphened(run);
  if (gaps.size === 1 && gaps.has(' ')) return fromSpacedSigns(text, run);
  return splitAtSpaces(text, run);
}

function fromSingle(token: Token): Candidate[] {
  const { text } = token;
  if (text.length < lengthMin || text.length > lengthMax) return [];
  const shape = digits.test(text) ? 'digits' : codeLetters.test(text) ? 'letters' : 'mixed';
  if (shape === 'mixed' && isWordWithNumber(text)) return [];
  return [build([token], text, shape)];
}

/** "09h10", "17NOV2026", "1920x1080". */
export function isTimeOrSize(text: string): boolean {
  return time.test(text) || day.test(text) || /^\d{2,5}[xX]\d{2,5}$/.test(text);
}

// "30min", "24h", "SHA256", "iPhone15", "Windows11", "1st": a number with its unit or a name with its number.
function isWordWithNumber(text: string): boolean {
  return (
    isTimeOrSize(text) ||
    norm.test(text) ||
    /^\d{1,5}[a-z]{2,}\d?$/.test(text) ||
    /^\d{1,5}[a-z]$/.test(text) ||
    /^[A-Z]?[a-z]{2,}\d{1,4}$/.test(text) ||
    /^[a-z]+[A-Z][a-z]+\d+$/.test(text)
  );
}

function fromDigitGroups(text: string, run: readonly Token[], gaps: ReadonlySet<string>): Candidate[] {
  const value = run.map((token) => token.text).join('');
  const size = run[0]?.text.length ?? 0;
  const even = gaps.size === 1 && size >= 2 && size <= 4 && run.every((token) => token.text.length === size);
  if (even && !gaps.has('.')) {
    if (value.length > lengthMax || isYearRange(run) || (gaps.has('-') && isDate(run))) return [];
    // "4418-2026" is more often a case number with its year.
    const hasYear = gaps.has('-') && run.length === 2 && /^20[1-3]\d$/.test(run[1]?.text ?? '');
    return [{ ...build(run, value, 'grouped'), loose: hasYear }];
  }
  if (gaps.size === 1 && ((gaps.has('-') && isUnevenPair(run)) || (gaps.has(' ') && isUnevenGroup(run)))) {
    return [{ ...build(run, value, 'digits'), crowded: true }];
  }
  if (gaps.size === 1 && ((gaps.has('.') && even && isDotted(run)) || (gaps.has('-') && isUneven(run)))) {
    return [{ ...build(run, value, 'grouped'), loose: true }];
  }
  if (gaps.size === 1 && gaps.has(' ') && isLongNumber(run)) return [];
  return splitAtSpaces(text, run);
}

// "AB12 CD34" is a code only on a line of its own; in a sentence the parts are words.
function fromSpacedSigns(text: string, run: readonly Token[]): Candidate[] {
  const value = run.map((token) => token.text).join('');
  const before = text.slice(Math.max(0, (run[0]?.start ?? 0) - 3), run[0]?.start);
  const after = text.slice(run.at(-1)?.end, (run.at(-1)?.end ?? 0) + 3);
  const isAlone = /(^|\n) ?$/.test(before) && /^ ?(\n|$)/.test(after);
  // "X7R 2KP" in a sentence: two groups of equal size, both with letters and digits.
  const [left, right] = run;
  if (run.length === 2 && left && right && hasBoth(left.text) && hasBoth(right.text)) {
    return [build(run, value, 'mixed')];
  }
  if (isAlone && /\d/.test(value) && value.length <= 12) return [build(run, value, 'mixed')];
  return splitAtSpaces(text, run);
}

function hasBoth(text: string): boolean {
  return /\d/.test(text) && /[A-Z]/.test(text);
}

function gapKind(gap: string): string {
  return /^[ \t]+-[ \t]+$/.test(gap) ? '-' : gap;
}

// "482913 2024-05-14 09": adjacent numbers of several forms, each a candidate of its own.
function splitAtSpaces(text: string, run: readonly Token[]): Candidate[] {
  const parts: Token[][] = [];
  for (const token of run) {
    const previous = parts.at(-1)?.at(-1);
    const gap = previous ? text.slice(previous.end, token.start) : ' ';
    if (gap.trim() === '') parts.push([token]);
    else parts.at(-1)?.push(token);
  }
  const made = parts.flatMap((part) => (part.length === run.length ? [] : fromRun(text, part)));
  return made.map((candidate) => ({ ...candidate, crowded: true }));
}

// "482-9917": uneven halves are more often a telephone number.
function isUnevenPair(run: readonly Token[]): boolean {
  const sizes = run.map((token) => token.text.length);
  return run.length === 2 && Math.min(...sizes) === 3 && Math.max(...sizes) === 4;
}

// "482 9137" and "48 291 370": the short group comes first. "4829 15" is a code followed by a number of minutes.
function isUnevenGroup(run: readonly Token[]): boolean {
  const sizes = run.map((token) => token.text.length).join();
  return sizes === '3,4' || sizes === '2,3,3';
}

// "482.913", "4829.1337", "48.29.13": elsewhere such dots separate thousands or parts of a date.
function isDotted(run: readonly Token[]): boolean {
  const size = run[0]?.text.length ?? 0;
  return (run.length === 2 && size >= 3) || (run.length === 3 && size === 2 && !isDate(run));
}

// "440-917-23", "73-0418".
function isUneven(run: readonly Token[]): boolean {
  const sizes = run.map((token) => token.text.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fits = sizes.every((size) => size >= 2 && size <= 4) && total >= 5 && total <= unevenMax;
  const hasYear = run.some((token) => /^(19|20)\d\d$/.test(token.text));
  return fits && run.length <= 3 && !(run.length === 3 && hasYear);
}

// "4418 8209 3177 4410", "12345 67890 44188": the number of an account, a card or a meter.
function isLongNumber(run: readonly Token[]): boolean {
  const size = run[0]?.text.length ?? 0;
  return run.length >= 3 && size >= 4 && run.slice(0, -1).every((token) => token.text.length === size);
}

function isYearRange(run: readonly Token[]): boolean {
  return run.length === 2 && run.every((token) => /^(19|20)\d\d$/.test(token.text));
}

function isDate(run: readonly Token[]): boolean {
  const [a = 0, b = 0] = run.map((token) => Number(token.text));
  return (
    run.length === 3 &&
    run[0]?.text.length === 2 &&
    ((a <= 31 && b <= 12) || (a <= 12 && b <= 31)) &&
    a > 0 &&
    b > 0
  );
}

function fromHyphened(run: readonly Token[]): Candidate[] {
  const [head, ...rest] = run;
  if (!head) return [];
  if (run.length > 3) {
    const even = fromManyGroups(run);
    return even.length > 0 ? even : fromWorded(run);
  }
  const tail = rest.map((token) => token.text).join('');
  const evenTail = rest.every((token) => token.text.length === rest[0]?.text.length);
  const isMarked = codeLetters.test(head.text) && digits.test(tail) && evenTail;
  if (isMarked && head.text.length <= 2 && tail.length >= lengthMin && tail.length <= lengthMax) {
    return [{ ...build(run, tail, tail.length > lengthMin ? 'grouped' : 'digits'), prefix: head.text }];
  }
  const value = run.map((token) => token.text).join('-');
  const fits = run.every((token) => token.text.length >= 2 && token.text.length <= 6) && value.length <= 14;
  if (value.length < lengthMin + 1 || /[a-z]{3}/.test(value)) return [];
  // "8h30-12h00", "24h-48h", "SHA-256".
  if (run.every((token) => isWordWithNumber(token.text)) || norm.test(value)) return [];
  if (!fits) return fromWorded(run);
  return [{ ...build(run, value, 'hyphened'), prefix: isMarked ? head.text : '' }];
}

// "PURPLE-TIGER-42", "AB-4471-X": longer words, or parts of one character.
function fromWorded(run: readonly Token[]): Candidate[] {
  const value = run.map((token) => token.text).join('-');
  const fits = value.length <= wordedMax && value.length > lengthMin && run.length <= groupsMax;
  if (!fits || !/\d/.test(value) || !/[A-Z]/.test(value) || /[a-z]/.test(value)) return [];
  return [{ ...build(run, value, 'hyphened'), loose: true }];
}

// "A7F2-9KQM-44XZ-81LP": the form of long one-time passwords and of licence keys, so that only a name beside it
// counts.
function fromManyGroups(run: readonly Token[]): Candidate[] {
  const size = run[0]?.text.length ?? 0;
  const value = run.map((token) => token.text).join('-');
  const isEven = size >= 3 && size <= 6 && run.every((token) => token.text.length === size);
  if (!isEven || run.length > groupsMax || !/\d/.test(value) || !/[A-Z]/.test(value)) return [];
  return /[a-z]{3}/.test(value) ? [] : [build(run, value, 'manyGroups')];
}

function build(run: readonly Token[], value: string, shape: Shape): Candidate {
  const start = run[0]?.start ?? 0;
  const end = run.at(-1)?.end ?? 0;
  return toCandidate(value, shape, { start, end });
}

/** Without evidence yet. */
export function toCandidate(
  value: string,
  shape: Shape,
  { start, end }: Pick<Candidate, 'start' | 'end'>,
): Candidate {
  return { value, shape, start, end, prefix: '', crowded: false, loose: false };
}
