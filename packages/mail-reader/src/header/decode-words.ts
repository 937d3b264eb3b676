// Decodes encoded words (RFC 2047, language suffix of RFC 2231 §5) and raw 8-bit bytes in header values. Takes byte
// strings: one char per byte, as from Buffer.toString('latin1'). Never throws; linear in its input. Use it only after
// splitting a value's structure (addresses, parameters).
import { isUtf8 } from 'node:buffer';
import { decodeCharset, decodeUndeclared } from '../text/charset.ts';
import { hexPair } from '../text/hex-pair.ts';

interface EncodedWord {
  charset: string;
  readonly encoding: 'B' | 'Q';
  readonly payload: string;
  /** Index of the first char after the word. */
  readonly end: number;
}

/** The most charsets looked up per value: finding a decoder is costly, and thousands of names fit in a field. */
const labelsMax = 8;

/** Decodes a whole unfolded header value; `declared` is the charset to try for raw bytes that are not UTF-8. */
export function decodeWords(value: string, declared: string | null = null): string {
  let from = value.indexOf('=?');
  if (from < 0) return decodeRawBytes(value, declared);
  let out = '';
  let done = 0;
  let run: EncodedWord[] = [];
  const labels = new Set<string>();
  while (from >= 0) {
    const word = findWordAt(value, from);
    if (word === 'no more') break;
    if (word === undefined) {
      from = value.indexOf('=?', from + 2);
      continue;
    }
    if (labels.size < labelsMax) labels.add(word.charset);
    else if (!labels.has(word.charset)) word.charset = '';
    const between = value.slice(done, from);
    // White space between two encoded words is not displayed (§6.2).
    if (run.length === 0 || !isBlank(between)) {
      out += decodeRun(run) + decodeRawBytes(between, declared);
      run = [];
    } else if (!continues(run[0], word)) {
      out += decodeRun(run);
      run = [];
    }
    run.push(word);
    done = word.end;
    from = value.indexOf('=?', done);
  }
  return out + decodeRun(run) + decodeRawBytes(value.slice(done), declared);
}

/** Raw header bytes outside encoded words: UTF-8 if valid (RFC 6532), else the declared charset, else windows-1252. */
export function decodeRawBytes(value: string, declared: string | null = null): string {
  if (isPlainAscii(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  // ISO-2022-JP is 7-bit, so only its escapes give it away (a habit of old Japanese mailers).
  if (value.includes('\x1b$')) return decodeCharset(bytes, 'iso-2022-jp').text;
  return declared === null || isUtf8(bytes) ? decodeUndeclared(bytes) : decodeCharset(bytes, declared).text;
}

/** Each failed attempt ends at the next `?` and each successful one is consumed, so all together are linear. */
function findWordAt(value: string, at: number): EncodedWord | 'no more' | undefined {
  const charsetEnd = value.indexOf('?', at + 2);
  if (charsetEnd < 0) return 'no more';
  const encoding = value.charAt(charsetEnd + 1).toUpperCase();
  if (charsetEnd === at + 2 || (encoding !== 'B' && encoding !== 'Q')) return undefined;
  if (value.charAt(charsetEnd + 2) !== '?') return undefined;
  const end = value.indexOf('?=', charsetEnd + 3);
  if (end < 0) return 'no more';
  const payload = value.slice(charsetEnd + 3, end);
  return { charset: value.slice(at + 2, charsetEnd), encoding, payload, end: end + 2 };
}

function continues(first: EncodedWord | undefined, next: EncodedWord): boolean {
  return first !== undefined && first.charset.toLowerCase() === next.charset.toLowerCase();
}

/** Words of one charset are decoded as one byte sequence: senders split multi-byte characters between words. */
function decodeRun(run: EncodedWord[]): string {
  const first = run[0];
  if (first === undefined) return '';
  if (run.length === 1) return decodeCharset(decodePayload(first), first.charset).text;
  const chunks: Buffer[] = [];
  let base64 = '';
  let quoted = '';
  // Some senders split the encoded text itself between words: base64 within a quantum, Q within an escape.
  const flush = (): void => {
    if (base64 !== '') chunks.push(Buffer.from(base64, 'base64'));
    if (quoted !== '') chunks.push(decodeQ(quoted));
    base64 = quoted = '';
  };
  for (const word of run) {
    if (word.encoding === 'Q') {
      if (base64 !== '') flush();
      quoted += word.payload;
      continue;
    }
    if (quoted !== '') flush();
    base64 += word.payload.trimEnd();
    if (base64.endsWith('=') || base64.length % 4 === 0) flush();
  }
  flush();
  return decodeCharset(Buffer.concat(chunks), first.charset).text;
}

function decodePayload(word: EncodedWord): Buffer {
  return word.encoding === 'B' ? Buffer.from(word.payload, 'base64') : decodeQ(word.payload);
}

const underscore = 0x5f;
const equals = 0x3d;
const space = 0x20;

/** RFC 2047 §4.2. An `=` without two hex digits after it stands for itself. */
function decodeQ(payload: string): Buffer {
  const bytes = Buffer.from(payload, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte === underscore) byte = space;
    else if (byte === equals) {
      const pair = hexPair(bytes, at + 1);
      if (pair >= 0) {
        byte = pair;
        at += 2;
      }
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x20) return false;
  return true;
}

/** Printable ASCII, tabs and line ends need no decoding. */
function isPlainAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7e || code === 0x1b) return false;
  }
  return true;
}

/** Reports whether a byte string, one char per byte, needs a declared charset. */
export function needsCharset(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return !isUtf8(Buffer.from(text, 'latin1'));
  }
  return false;
}
