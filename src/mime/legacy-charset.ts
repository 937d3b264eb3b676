// Charsets that TextDecoder lacks, or knows with fewer characters than mail is written in, by iconv-lite. Used by charset
// alone. Its tables are read when the first such mail is: what TextDecoder reads well stays with it.
import iconv from 'iconv-lite';

/** Code pages of DOS and IBM. Never anything that is not a table: iconv-lite's UTF-7 hides markup from every filter. */
const codePages = new Set(
  '437 720 737 775 808 850 852 855 856 857 858 860 861 862 863 864 865 869 922 1046 1124 1125 1129 1133 1161 1162 1163'.split(
    ' ',
  ),
);
const others = new Map([
  ['iso-8859-16', 'iso-8859-16'],
  ['iso8859-16', 'iso-8859-16'],
  ['latin10', 'iso-8859-16'],
  ['l10', 'iso-8859-16'],
  ['iso-ir-226', 'iso-8859-16'],
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
/** What TextDecoder calls them, and where it gives less: C1 controls, private characters and U+FFFD show that. */
const larger = new Map([
  ['euc-kr', 'cp949'],
  ['big5', 'big5-hkscs'],
  ['windows-1255', 'windows-1255'],
]);
const unread = /[\x80-\x9f\ue000-\uf8ff\ufffd]/;

export type Decode = (bytes: Buffer) => string;

/** By a name in lower case with dashes; undefined when TextDecoder may know it. */
export function findLegacyDecode(name: string): Decode | undefined {
  const page = /^(?:cs|x-)?(?:pc-?)?(?:cp|ibm|dos|oem|codepage|pc8codepage)-?0*(\d{3,4})$/.exec(name)?.[1];
  const known = others.get(name) ?? (page !== undefined && codePages.has(page) ? `cp${page}` : undefined);
  return known === undefined ? undefined : (bytes) => iconv.decode(bytes, known, { stripBOM: false });
}

/** What TextDecoder made of `bytes`, or the same with the characters that it does not have in this encoding. */
export function fillIn(text: string, bytes: Buffer, encoding: string): string {
  const name = larger.get(encoding);
  return name !== undefined && unread.test(text) ? iconv.decode(bytes, name, { stripBOM: false }) : text;
}
