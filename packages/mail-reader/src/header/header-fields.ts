// Finds header fields in the bytes of a message and unfolds their values (RFC 5322 §2.2). findHeaderFields is the hot
// path's scan; readHeaderFields lists every field for the parser. header-walk decides where a header begins and ends.
// Nothing here decodes.

import { HeaderWalk, type IsDelimiter, matchesLetters } from './header-walk.ts';
import { trimAscii } from '../text/clean-text.ts';

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Ranges of the values of the first From and Subject that are not empty, folds included; undefined where absent. */
export interface SummaryFields {
  from: ByteRange | undefined;
  subject: ByteRange | undefined;
}

export interface RawField {
  /** As written, without white space before the colon. */
  readonly name: string;
  /** Unfolded byte string, one char per byte. */
  readonly value: string;
}

export interface RawHeader {
  readonly fields: RawField[];
  /** Offset of the first field, after anything an mbox file or an editor put before it. */
  readonly start: number;
  /** Offset of the first byte of the body, or the end. */
  readonly bodyStart: number;
  /** Whether an empty line or the delimiter of a multipart ended the header. */
  readonly isEnded: boolean;
  /** Whether fields were omitted because the header exceeds the limits. */
  readonly cut: boolean;
  /** Reasons why readers may disagree on the fields or the end of the header; empty for an ordinary header. */
  readonly oddities: readonly string[];
}

const loneReturn = 'a carriage return without a line feed in the header';
const tab = 9;
const space = 32;
const colonByte = 58;
const fromName = Buffer.from('from');
const subjectName = Buffer.from('subject');

/**
 * Stops as soon as both are found; an ordinary header is not read to its end. An empty field does not hide a later one
 * that says something.
 */
export function findHeaderFields(raw: Uint8Array): SummaryFields {
  const found: SummaryFields = { from: undefined, subject: undefined };
  const walk = new HeaderWalk(raw, 0);
  while ((found.from === undefined || found.subject === undefined) && walk.next()) {
    const { colon, end } = walk;
    const name = isNamed(raw, walk, subjectName)
      ? 'subject'
      : isNamed(raw, walk, fromName)
        ? 'from'
        : undefined;
    if (name === undefined || found[name] !== undefined || isBlank(raw, colon + 1, end)) continue;
    found[name] = { start: colon + 1, end };
  }
  return found;
}

export interface HeaderLimits {
  readonly bytesMax: number;
  readonly fieldsMax: number;
  /** Whether a fold becomes one space, as in Go's libraries; by default only its line end is removed. */
  readonly foldsToSpace?: true;
  /**
   * Reports whether a line that begins with `--` ends the header without an empty line, as a delimiter of a multipart.
   */
  readonly isDelimiter?: IsDelimiter;
}

/** Returns every field from `start` in order, within the limits. Further fields are skipped. */
export function readHeaderFields(raw: Buffer, start: number, limits: HeaderLimits): RawHeader {
  const fields: RawField[] = [];
  const stop = Math.min(raw.length, start + limits.bytesMax);
  let cut = false;
  let hasLoneReturn = false;
  const walk = new HeaderWalk(raw, start, limits.isDelimiter);
  while (walk.next()) {
    cut ||= walk.end > stop || fields.length >= limits.fieldsMax;
    if (walk.start >= stop || fields.length >= limits.fieldsMax) continue;
    const written = raw.toString('latin1', walk.colon + 1, Math.min(walk.end, stop));
    const value = unfold(
      limits.foldsToSpace ? written.replace(/(?<![ \t])[ \t]*\r?\n[ \t]+/g, ' ') : written,
    );
    hasLoneReturn ||= value.includes('\r');
    fields.push({ name: raw.toString('latin1', walk.start, Math.min(walk.colon, stop)).trimEnd(), value });
  }
  const { first, bodyStart, isEnded } = walk;
  const oddities = hasLoneReturn ? [...walk.oddities, loneReturn] : walk.oddities;
  return { fields, start: first < 0 ? start : first, bodyStart, isEnded, cut, oddities };
}

/** Returns the value in `range` without line ends; reads at most `bytesMax` of it. */
export function readValue(raw: Buffer, range: ByteRange, bytesMax: number): string {
  return unfold(raw.toString('latin1', range.start, Math.min(range.end, range.start + bytesMax)));
}

/** Returns the first value that is not empty of the fields with this lower-case name; undefined without the field. */
export function firstValue(fields: readonly RawField[], name: string): string | undefined {
  const same = fields.filter((field) => field.name.toLowerCase() === name);
  return (same.find(({ value }) => value !== '') ?? same[0])?.value;
}

function isBlank(raw: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((raw[at] ?? 0) > space) return false;
  return true;
}

/** RFC 5322 §2.2.3: a fold is a line end before white space; only the line end is removed. */
function unfold(value: string): string {
  return trimAscii(value.includes('\n') ? value.replace(/\r?\n/g, '') : value);
}

/** Reports whether the current field of the walk has this lower-case name. */
function isNamed(raw: Uint8Array, { start, colon }: HeaderWalk, name: Uint8Array): boolean {
  if (colon - start < name.length || !matchesLetters(raw, start, name)) return false;
  const after = raw[start + name.length];
  return after === colonByte || after === space || after === tab;
}
