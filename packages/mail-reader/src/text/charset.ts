// Decodes bytes in a declared or unknown charset to text; the only place that picks decoders. Never throws: what
// cannot be decoded falls back to windows-1252 with `known` false. UTF-7 is deliberately not decoded (it hides markup
// from every filter).
import { isUtf8 } from 'node:buffer';

import { type Decode, fillIn, findLegacyDecode } from './legacy-charset.ts';
import { findShiftedDecode } from './shifted-charset.ts';

/** Labels in use in mail that the WHATWG Encoding Standard, hence TextDecoder, lacks. */
const mailAliases = new Map([
  ['cp932', 'shift_jis'],
  ['windows-932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['windows-936', 'gbk'],
  ['ms936', 'gbk'],
  ['euc-cn', 'gbk'],
  ['euc_cn', 'gbk'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['ks_c_5601', 'euc-kr'],
  ['ks-c-5601', 'euc-kr'],
  ['ksc-5601', 'euc-kr'],
  ['ks-x-1001', 'euc-kr'],
  ['x-windows-949', 'euc-kr'],
  ['cp951', 'big5'],
  ['big5hkscs', 'big5'],
  ['hkscs', 'big5'],
  ['cp950', 'big5'],
  ['ms950', 'big5'],
  ['windows-950', 'big5'],
  ['cp65001', 'utf-8'],
  ['utf8mb4', 'utf-8'],
  ['utf-8-mac', 'utf-8'],
  ['iso-2022-jp-ms', 'iso-2022-jp'],
  ['cp50220', 'iso-2022-jp'],
  ['cp50221', 'iso-2022-jp'],
  ['cp51932', 'euc-jp'],
  ['eucjp', 'euc-jp'],
  ['ujis', 'euc-jp'],
  ['iso-8859-8e', 'iso-8859-8'],
  ['iso-8859-8-e', 'iso-8859-8'],
  ['iso-8859-6-i', 'iso-8859-6'],
  ['iso-8859-6-e', 'iso-8859-6'],
  ['iso-8859-11', 'windows-874'],
  ['iso-8859-1-windows-3.1-latin-1', 'windows-1252'],
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
]);
/** Labels that say nothing about bytes above 127. */
const asciiOnlyLabels = new Set([
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  'unknown-8bit',
  'x-unknown',
  'unknown',
  '8bit',
  '',
]);
const labelMaxChars = 64;
const cachedLabelsMax = 256;
/** The 32 characters at 0x80–0x9F; in Node 20 TextDecoder('windows-1252') gives C1 controls there. */
const windows1252High =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

export interface DecodedText {
  readonly text: string;
  /** False when the charset is unknown, so that the text may be wrong. */
  readonly known: boolean;
}

const escape = 0x1b;
const iso2022Jp = new TextDecoder('iso-2022-jp');
const cache = new Map<string, Decode | null>();

/** Decodes `bytes` declared as `label` (untrusted, any case, RFC 2231 `*language` suffix allowed; null for none). */
export function decodeCharset(bytes: Buffer, label: string | null): DecodedText {
  if (label === null) return { text: decodeUndeclared(bytes), known: true };
  const decode = findDecode(label);
  if (decode === null) return { text: decodeUndeclared(bytes), known: false };
  try {
    return { text: decode(bytes), known: true };
  } catch {
    // A converter inside ICU may refuse input even in its lenient mode; mail must be readable all the same.
    return { text: decodeWindows1252(bytes), known: false };
  }
}

/** Decodes UTF-8 if the bytes are valid UTF-8, else windows-1252: the best guess for undeclared 8-bit mail. */
export function decodeUndeclared(bytes: Buffer): string {
  if (bytes.indexOf(escape) >= 0 && /\x1b\$[@B]/.test(bytes.toString('latin1'))) {
    return iso2022Jp.decode(dropIdleEscapes(bytes));
  }
  return isUtf8(trimCutCharacter(bytes)) ? decodeUtf8(bytes) : decodeWindows1252(bytes);
}

function findDecode(label: string): Decode | null {
  if (label.length > labelMaxChars) return null;
  const cached = cache.get(label);
  if (cached !== undefined) return cached;
  const made = makeDecode(label);
  // Labels are untrusted: the cache is cleared rather than grown.
  if (cache.size >= cachedLabelsMax) cache.clear();
  cache.set(label, made);
  return made;
}

function makeDecode(label: string): Decode | null {
  const name = label
    .trim()
    .replace(/^['"=<\s]+/, '')
    .replace(/[*\s(;,'">].*$/s, '')
    .toLowerCase();
  if (asciiOnlyLabels.has(name)) return decodeUndeclared;
  const decode = findDeclaredDecode(name);
  if (decode === null || decode === decodeUtf8) return decode;
  const least = leastUtf8Characters(name);
  return (bytes) => decodeUnlessUtf8(bytes, decode, least);
}

function findDeclaredDecode(name: string): Decode | null {
  if (name === 'utf-16' || name === 'utf16') return decodeUtf16;
  const shifted = findShiftedDecode(name) ?? findLegacyDecode(name.replaceAll('_', '-'));
  if (shifted) return shifted;
  const encoding = findEncoding(name);
  if (encoding === undefined) return null;
  if (encoding === 'utf-8') return decodeUtf8;
  if (encoding === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(encoding);
  if (encoding === 'iso-2022-jp') return (bytes) => decoder.decode(dropIdleEscapes(bytes));
  return (bytes) => fillIn(decoder.decode(bytes), bytes, encoding);
}

/** Returns how many characters must be UTF-8, and nothing but UTF-8, to rule out an accident in another charset. */
function leastUtf8Characters(name: string): number {
  const encoding = findEncoding(name) ?? '';
  if (name.startsWith('utf-16') || name === 'utf16' || encoding.startsWith('utf-16')) return 0;
  if (/^(?:gb|big5|euc-|shift)|^windows-874$/.test(encoding)) return 8;
  return /^windows-125[1356]$|^koi8|^iso-8859-[5-8]/.test(encoding) ? 2 : 1;
}

/** UTF-8 is often declared as another charset; text in another charset is hardly ever valid UTF-8. */
function decodeUnlessUtf8(bytes: Buffer, decode: Decode, least: number): string {
  const whole = trimCutCharacter(bytes);
  if (!isUtf8(whole) || whole.includes(0) || whole.includes(escape)) return decode(bytes);
  // UTF-16 without its zero bytes; no line ends without one.
  if (least === 0 && !whole.includes(0x0a)) return decode(bytes);
  const count = countLeadBytes(whole, least);
  if (count >= least) return decodeUtf8(bytes);
  const text = decode(bytes);
  return count > 0 && text.includes('\ufffd') ? decodeUtf8(bytes) : text;
}

function countLeadBytes(bytes: Buffer, most: number): number {
  let count = 0;
  for (let at = 0; at < bytes.length && count < most; at++) if ((bytes[at] ?? 0) >= 0xc2) count++;
  return count;
}

/** Drops the start of a UTF-8 character that the end of the bytes cuts off. */
function trimCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needs > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

function findEncoding(name: string): string | undefined {
  const dashed = name.replaceAll('_', '-');
  const candidates = [
    mailAliases.get(name) ?? name,
    mailAliases.get(dashed) ?? dashed,
    // cp1251, win-1251, windows1251, x-cp1251 and iso8859_5, iso-8859.5
    dashed.replace(/^(?:x-)?(?:cp|win|windows|ms)-?(125\d|874)$/, 'windows-$1'),
    dashed.replace(/^iso-?8859[-.]?(\d{1,2})(-[ie])?$/, 'iso-8859-$1$2'),
    dashed.replace(/^(?:cs|x-)/, ''),
  ];
  // An unknown label costs TextDecoder an error, and labels come by the thousand.
  for (const candidate of new Set(candidates)) {
    const encoding = /^[a-z0-9][a-z0-9_:.-]*$/.test(candidate) ? toEncoding(candidate) : undefined;
    if (encoding !== undefined) return encoding;
  }
  return undefined;
}

function toEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // TextDecoder reports an unknown label only by throwing.
    return undefined;
  }
}

/** Text without a single UTF-8 character is not UTF-8, whatever was declared. */
function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text.includes('\ufffd') && !hasUtf8Character(bytes)) return decodeWindows1252(bytes);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function hasUtf8Character(bytes: Buffer): boolean {
  for (let at = 0; at + 1 < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0xc2 || byte > 0xf4 || !isContinuation(bytes[at + 1])) continue;
    if (byte < 0xe0 || isContinuation(bytes[at + 2])) return true;
  }
  return false;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (c) => windows1252High.charAt(c.charCodeAt(0) - 0x80));
}

/**
 * Drops escapes directly followed by another, as where two encoded words meet: the Encoding Standard's decoder would
 * give U+FFFD for them.
 */
function dropIdleEscapes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\x1b[($][@-Z](?=\x1b)/g, ''), 'latin1');
}

/** RFC 2781 §4.3: the byte order mark decides, then big-endian; unless the zero bytes suggest little-endian. */
function decodeUtf16(bytes: Buffer): string {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  let evenZeros = 0;
  let oddZeros = 0;
  const sample = bytes.subarray(0, 256);
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) evenZeros++;
    else oddZeros++;
  }
  return new TextDecoder(oddZeros > evenZeros ? 'utf-16le' : 'utf-16be').decode(bytes);
}
