// Decodes content transfer encodings (RFC 2045 §6). Lenient as §6.7 and §6.8 advise, in one pass; invalid input is
// reported, never guessed at.
import { hexPair } from '../text/hex-pair.ts';
import { UuDecoder } from './uudecode.ts';

export interface DecodedBytes {
  readonly bytes: Buffer;
  /** False when invalid input was skipped or kept unchanged. */
  readonly clean: boolean;
}

const equals = 0x3d;
const lf = 10;
const cr = 13;
const space = 32;
const tab = 9;
const invalid = 255;
const blank = 254;

const base64Values = new Uint8Array(256).fill(invalid);
for (const [value, char] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  base64Values[char.charCodeAt(0)] = value;
}
for (const byte of [space, tab, cr, lf]) base64Values[byte] = blank;

const encodings = new Map([
  ['base64', 'base64'],
  ['b64', 'base64'],
  ['xbase64', 'base64'],
  ['mimebase64', 'base64'],
  ['quotedprintable', 'quoted-printable'],
  ['quotedprintible', 'quoted-printable'],
  ['quoteprintable', 'quoted-printable'],
  ['xquotedprintable', 'quoted-printable'],
  ['qp', 'quoted-printable'],
  ['7bit', '7bit'],
  ['8bit', '8bit'],
  ['binary', 'binary'],
  ['uuencode', 'x-uuencode'],
  ['xuuencode', 'x-uuencode'],
  ['xuuencoded', 'x-uuencode'],
  ['uuencoded', 'x-uuencode'],
  ['xuue', 'x-uuencode'],
  ['uue', 'x-uuencode'],
]);

/**
 * Returns the encoding that a Content-Transfer-Encoding field means, in lower case: `"base64"`, `quoted_printable`, `8
 * bit`.
 */
export function toTransferEncoding(field: string): string {
  const value = field.toLowerCase();
  // Removes comments and anything after a separator, then everything but letters.
  const [head = ''] = value
    .replace(/\([^()]*\)/g, ' ')
    .trim()
    .split(/[;,(]/, 1);
  for (const letters of [head, ...head.trim().split(/\s+/, 1)].map((text) =>
    text.replace(/[^a-z0-9]+/g, ''),
  )) {
    const encoding = encodings.get(letters);
    if (encoding !== undefined) return encoding;
  }
  return head.trim();
}

/** Decodes a body by its lower-case Content-Transfer-Encoding. A body in an unknown one is returned unchanged. */
export function decodeTransfer(body: Buffer, encoding: string): DecodedBytes {
  switch (encoding) {
    case 'base64':
      return decodeBase64(body, { bits: 0, count: 0 }, true);
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    case 'x-uuencode': {
      const decoder = new UuDecoder();
      const bytes = decoder.decode(body, true);
      return { bytes, clean: decoder.clean };
    }
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
      return { bytes: body, clean: true };
    default:
      return { bytes: body, clean: false };
  }
}

/** Returns the length of `decodeTransfer`'s output, without producing it where it can be counted. */
export function measureTransfer(body: Buffer, encoding: string): number {
  if (encoding !== 'base64') return decodeTransfer(body, encoding).bytes.length;
  let bytes = 0;
  let digits = 0;
  for (const byte of body) {
    if ((base64Values[byte] ?? invalid) < 64) digits++;
    else if (byte === equals) {
      bytes += Math.floor((digits * 3) / 4);
      digits = 0;
    }
  }
  return bytes + Math.floor((digits * 3) / 4);
}

/** Digits of an incomplete quantum. */
export interface Base64Rest {
  bits: number;
  count: number;
}

/**
 * Decodes a body piece by piece: `rest` is carried over, and flushed with the last piece. Padding ends a quantum, and
 * a new one may follow: some gateways concatenate encoded pieces.
 */
export function decodeBase64(body: Buffer, rest: Base64Rest, isLast: boolean): DecodedBytes {
  const out = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4) + 3);
  let length = 0;
  let { bits, count } = rest;
  let clean = true;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    const value = base64Values[byte] ?? invalid;
    if (value < 64) {
      bits = (bits << 6) | value;
      if (++count === 4) {
        out[length++] = bits >> 16;
        out[length++] = bits >> 8;
        out[length++] = bits;
        bits = 0;
        count = 0;
      }
    } else if (byte === equals) {
      length = flushQuantum(out, length, { bits, count });
      bits = 0;
      count = 0;
    } else if (value === invalid || isInnerBlank(body, at)) {
      clean = false;
    }
  }
  rest.bits = bits;
  rest.count = count;
  if (isLast && count === 1) clean = false;
  return { bytes: out.subarray(0, isLast ? flushQuantum(out, length, rest) : length), clean };
}

/** Reports whether a blank stands inside a line, where no encoder puts one but text has them. */
function isInnerBlank(body: Buffer, at: number): boolean {
  const isBlank = body[at] === space || body[at] === tab;
  return isBlank && isDigit(body[at - 1]) && isDigit(body[at + 1]);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && (base64Values[byte] ?? invalid) < 64;
}

/** Writes the one or two bytes of 2 or 3 digits; a single digit holds none. */
function flushQuantum(out: Buffer, length: number, rest: Base64Rest): number {
  const { bits, count } = rest;
  if (count === 2) out[length++] = bits >> 4;
  if (count === 3) {
    out[length++] = bits >> 10;
    out[length++] = bits >> 2;
  }
  return length;
}

/** Keeps an `=` that is no escape; removes white space at the end of a line, which transport added (§6.7 rule 3). */
function decodeQuotedPrintable(body: Buffer): DecodedBytes {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  /** Length of the output up to the last byte of this line that is not white space. */
  let kept = 0;
  let clean = true;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === lf || (byte === cr && body[at + 1] === lf)) {
      length = kept;
      if (byte === cr) out[length++] = body[at++] ?? 0;
      out[length++] = lf;
      kept = length;
    } else if (byte === equals) {
      const pair = hexPair(body, at + 1);
      const next = pair < 0 ? findSoftBreak(body, at + 1) : -1;
      if (pair >= 0) {
        out[length++] = pair;
        at += 2;
      } else if (next >= 0) {
        at = next - 1;
      } else {
        out[length++] = byte;
        clean = false;
      }
      kept = length;
    } else {
      out[length++] = byte;
      if (byte !== space && byte !== tab) kept = length;
    }
  }
  return { bytes: out.subarray(0, kept), clean };
}

/** Returns the start of the line after a soft break at `at` (blanks, then a line end or the end), else -1. */
function findSoftBreak(body: Buffer, at: number): number {
  while (body[at] === space || body[at] === tab) at++;
  if (at >= body.length) return body.length;
  if (body[at] === lf) return at + 1;
  return body[at] === cr && body[at + 1] === lf ? at + 2 : -1;
}
