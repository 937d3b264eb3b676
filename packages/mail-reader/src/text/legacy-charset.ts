// Charsets that TextDecoder lacks, or decodes with fewer characters than mail uses, from iconv-lite's tables. Loaded
// with the first such message; TextDecoder decodes everything it can.
import { decodeSingleBytes, PairTable } from './iconv-tables.ts';

export type Decode = (bytes: Buffer) => string;

/** Code pages of DOS and IBM. */
const codePages = new Set(
  '437 720 737 775 808 850 852 855 856 857 858 860 861 862 863 864 865 869 922 1046 1124 1125 1129 1133 1161 1162 1163'.split(
    ' ',
  ),
);
const others = new Map([
  ['iso-8859-16', 'iso885916'],
  ['iso8859-16', 'iso885916'],
  ['latin10', 'iso885916'],
  ['l10', 'iso885916'],
  ['iso-ir-226', 'iso885916'],
  ['armscii-8', 'armscii8'],
  ['viscii', 'viscii'],
  ['tcvn', 'tcvn'],
  ['georgian-ps', 'georgianps'],
  ['georgian-academy', 'georgianacademy'],
  ['ptcp154', 'pt154'],
  ['rk1048', 'rk1048'],
  ['hp-roman8', 'hproman8'],
  ['x-mac-ce', 'maccenteuro'],
  ['x-mac-centraleurroman', 'maccenteuro'],
  ['x-mac-croatian', 'maccroatian'],
  ['x-mac-greek', 'macgreek'],
  ['x-mac-icelandic', 'maciceland'],
  ['x-mac-romanian', 'macromania'],
  ['x-mac-turkish', 'macturkish'],
]);
const koreanPairs = new PairTable('cp949');
const chinesePairs = new PairTable('cp950', 'big5-added');
/**
 * Charsets by TextDecoder's name that it decodes incompletely, recognisable by C1 controls, private characters and
 * U+FFFD.
 */
const larger = new Map<string, Decode>([
  ['euc-kr', (bytes) => koreanPairs.decode(bytes)],
  ['big5', (bytes) => chinesePairs.decode(bytes)],
  ['windows-1255', (bytes) => decodeSingleBytes(bytes, 'windows1255')],
]);
const unread = /[\x80-\x9f\ue000-\uf8ff\ufffd]/;

/** `name` is lower case with dashes; returns undefined when TextDecoder may know it. */
export function findLegacyDecode(name: string): Decode | undefined {
  const page = /^(?:cs|x-)?(?:pc-?)?(?:cp|ibm|dos|oem|codepage|pc8codepage)-?0*(\d{3,4})$/.exec(name)?.[1];
  const known = others.get(name) ?? (page !== undefined && codePages.has(page) ? `cp${page}` : undefined);
  return known === undefined ? undefined : (bytes) => decodeSingleBytes(bytes, known);
}

/** Returns what TextDecoder made of `bytes`, completed with the characters it lacks in this encoding. */
export function fillIn(text: string, bytes: Buffer, encoding: string): string {
  const decode = larger.get(encoding);
  return decode !== undefined && unread.test(text) ? decode(bytes) : text;
}
