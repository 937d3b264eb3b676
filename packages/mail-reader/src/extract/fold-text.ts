// Normalises decoded text: ASCII digits, ordinary spaces, no invisible characters. Used by every reader in this folder
// and for the word lists, so that both sides compare alike. Every step is a single pass over a character class: linear
// on any input.

/** Text that no step below changes, in many languages. */
const plain = /^[\t\n\x20-\x7e]*$/;
const invisible =
  /[\u00ad\u034f\u061c\u0640\u064b-\u0652\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\ufe00-\ufe0f\ufeff]/g;
const spaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u000b\u000c]/g;
const hyphens = /[\u2010-\u2013\u2212]/g;
/** The zeros of the scripts with digits of their own; Unicode keeps the ten of a script together. */
const zeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
  0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
  0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];
const foreignDigits = new RegExp(
  `[${zeros.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`,
  'g',
);
/** "①", "❶", "⓵", "⒈", "⑴": the digit one. */
const circledDigits = /[①-⑨⓪⓿❶-❾➀-➈➊-➒⓵-⓽⑴-⑼⒈-⒐]/g;
const circledOnes = ['①', '⑴', '⒈', '⓵', '❶', '➀', '➊'].map((one) => one.charCodeAt(0));
const fullWidth = /[\uff03\uff05\uff0a\uff0b\uff0d\uff0f\uff10-\uff1a\uff20-\uff3a\uff41-\uff5a]/g;
const styledDigits = /[\u{1d7ce}-\u{1d7ff}]/gu;
const decomposed = /[^\u0300-\u036f][\u0300-\u036f]{1,4}/g;
const letterVariants = /[ıёىيكةأإآ]/g;

const variantOf: Readonly<Record<string, string>> = {
  ı: 'i',
  ё: 'е',
  ى: 'ی',
  ي: 'ی',
  ك: 'ک',
  ة: 'ه',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
};

/** Returns the text as a reader sees it, with its letter case; line breaks are `\n`. */
export function cleanText(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(invisible, '')
    .replace(spaces, ' ')
    .replace(hyphens, '-')
    .replace(foreignDigits, foreignDigit)
    .replace(circledDigits, circledDigit)
    .replace(fullWidth, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(styledDigits, (char) => String(((char.codePointAt(0) ?? 0) - 0x1d7ce) % 10))
    .replace(decomposed, (cluster) => cluster.normalize('NFC'));
}

/** Folds case and unifies spelling variants; the result is always as long as `clean`, so that offsets fit both. */
export function foldCase(clean: string): string {
  // The only letter that becomes longer.
  const lower = clean.replaceAll('İ', 'i').toLowerCase();
  return lower.replace(letterVariants, (char) => variantOf[char] ?? char);
}

function foreignDigit(char: string): string {
  const code = char.charCodeAt(0);
  const zero = zeros.findLast((start) => start <= code) ?? code;
  return String(code - zero);
}

function circledDigit(char: string): string {
  const code = char.charCodeAt(0);
  const one = circledOnes.find((start) => code >= start && code < start + 9);
  return one === undefined ? '0' : String(code - one + 1);
}
