// Where header fields stand in the bytes of a message, and their values unfolded (RFC 5322 §2.2).
// findHeaderFields is the hot path's scan; readHeaderFields lists every field for the parser.
// A header ends at the first empty line; CRLF and bare LF both end a line. Nothing here decodes.

import { trimAscii } from './trim-ascii.ts';

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** First From and first Subject, as ranges of their values with folds; undefined where absent. */
export interface SummaryFields {
  from: ByteRange | undefined;
  subject: ByteRange | undefined;
}

export interface RawField {
  /** As written, without the white space some senders leave before the colon. */
  name: string;
  /** Unfolded byte string, one char per byte. */
  value: string;
}

export interface RawHeader {
  fields: RawField[];
  /** Offset of the first byte after the empty line, or the end. */
  bodyStart: number;
  /** Over the budget of bytes or fields: later fields were left out. */
  cut: boolean;
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const DASH = 45;
const COLON = 58;
const DEL = 127;
const lowerF = 0x66;
const lowerS = 0x73;
const fromName = Buffer.from('from');
const subjectName = Buffer.from('subject');

/** Stops as soon as both are found, so an ordinary header is not even read to its end. */
export function findHeaderFields(raw: Uint8Array): SummaryFields {
  const end = raw.length;
  const found: SummaryFields = { from: undefined, subject: undefined };
  for (let at = findHeaderStart(raw, 0); at >= 0 && at < end;) {
    const first = raw[at];
    if (first === LF || (first === CR && raw[at + 1] === LF)) break;
    const letter = (first ?? 0) | 0x20;
    let valueStart = -1;
    if (letter === lowerS && found.subject === undefined) {
      valueStart = matchName(raw, at, subjectName);
      if (valueStart >= 0) found.subject = { start: valueStart, end: findFieldEnd(raw, valueStart) };
    } else if (letter === lowerF && found.from === undefined) {
      valueStart = matchName(raw, at, fromName);
      if (valueStart >= 0) found.from = { start: valueStart, end: findFieldEnd(raw, valueStart) };
    }
    if (valueStart >= 0 && found.from !== undefined && found.subject !== undefined) break;
    while (at < end && raw[at] !== LF) at++;
    at++;
  }
  return found;
}

export interface HeaderLimits {
  maxBytes: number;
  maxFields: number;
  /** Whether a line that begins with `--` ends the header without an empty line: a delimiter of a multipart. */
  isDelimiter?: (at: number) => boolean;
}

/** Every field in order, from `start`, within the limits. Fields past them are stepped over. */
export function readHeaderFields(raw: Buffer, start: number, limits: HeaderLimits): RawHeader {
  const fields: RawField[] = [];
  const stop = Math.min(raw.length, start + limits.maxBytes);
  let cut = false;
  let at = findHeaderStart(raw, start);
  if (at < 0) return { fields, bodyStart: start, cut };
  while (at < raw.length) {
    if (raw[at] === LF) return { fields, bodyStart: at + 1, cut };
    if (raw[at] === CR && raw[at + 1] === LF) return { fields, bodyStart: at + 2, cut };
    if (raw[at] === DASH && raw[at + 1] === DASH && limits.isDelimiter?.(at) === true) break;
    const end = findFieldEnd(raw, at);
    cut ||= end > stop || fields.length >= limits.maxFields;
    if (at < stop && fields.length < limits.maxFields) {
      const field = toField(raw.toString('latin1', at, Math.min(end, stop)));
      if (field !== undefined) fields.push(field);
    }
    at = end;
  }
  return { fields, bodyStart: Math.min(at, raw.length), cut };
}

/**
 * Where the fields begin, past the `From ` line of an mbox file; -1 when the first line is no field, so that there is
 * no header and all is body.
 */
function findHeaderStart(raw: Uint8Array, start: number): number {
  let at = start;
  let byte = raw[at] ?? LF;
  while (byte > SPACE && byte < DEL && byte !== COLON) byte = raw[++at] ?? LF;
  if (byte === COLON) return at > start ? start : -1;
  if (byte === SPACE || byte === TAB) {
    const nameEnd = at;
    while (byte === SPACE || byte === TAB) byte = raw[++at] ?? LF;
    if (byte === COLON && nameEnd > start) return start;
    const isMboxLine = nameEnd === start + fromName.length && matchLetters(raw, start, fromName);
    return isMboxLine ? findLineEnd(raw, at) : -1;
  }
  // An empty first line ends a header of no fields.
  return at === start && (byte === LF || (byte === CR && raw[at + 1] === LF)) ? start : -1;
}

/** The value in `range` without its line ends; at most `maxBytes` of it are looked at. */
export function readValue(raw: Buffer, range: ByteRange, maxBytes: number): string {
  return unfold(raw.toString('latin1', range.start, Math.min(range.end, range.start + maxBytes)));
}

/** RFC 5322 §2.2.3: a fold is a line end before white space, and only the line end goes. */
function unfold(value: string): string {
  return trimAscii(value.includes('\n') ? value.replace(/\r?\n/g, '') : value);
}

/** A line without a name and a colon is no field and is left out. */
function toField(text: string): RawField | undefined {
  const colon = text.indexOf(':');
  if (colon <= 0) return undefined;
  const name = text.slice(0, colon).trimEnd();
  return /^[!-9;-~]+$/.test(name) ? { name, value: unfold(text.slice(colon + 1)) } : undefined;
}

/** Offset of the value when the field `name` (in lower case) starts at `at`, else -1. */
function matchName(raw: Uint8Array, at: number, name: Uint8Array): number {
  if (!matchLetters(raw, at, name)) return -1;
  let colon = at + name.length;
  // obs-optional: white space before the colon (RFC 5322 §4.5.3).
  while (raw[colon] === SPACE || raw[colon] === TAB) colon++;
  return raw[colon] === COLON ? colon + 1 : -1;
}

function matchLetters(raw: Uint8Array, at: number, letters: Uint8Array): boolean {
  for (let i = 0; i < letters.length; i++) if (((raw[at + i] ?? 0) | 0x20) !== letters[i]) return false;
  return true;
}

function findLineEnd(raw: Uint8Array, at: number): number {
  while (at < raw.length && raw[at] !== LF) at++;
  return Math.min(at + 1, raw.length);
}

/** Offset of the line after the field, folded lines included. */
function findFieldEnd(raw: Uint8Array, start: number): number {
  for (let at = start; at < raw.length;) {
    while (at < raw.length && raw[at] !== LF) at++;
    at++;
    if (raw[at] !== SPACE && raw[at] !== TAB) return Math.min(at, raw.length);
  }
  return raw.length;
}
