// Finds how many characters a message says its code has: "the 6-digit code", "sechs Ziffern", "6桁", "۶ رقم". A number
// of that length is more likely the code.
import type { CodeSource } from './code-source.ts';

const words: readonly (readonly [number, RegExp])[] = [
  [
    4,
    /^(?:four|vier|quatre|cuatro|quatro|quattro|cztery|czterech|четыр\p{L}*|чотир\p{L}*|dört|چهار|أربعة|اربعه|चार|四|네|bốn|empat)$/u,
  ],
  [
    5,
    /^(?:five|fünf|cinq|cinco|cinque|vijf|pięć|pięciu|пят\p{L}*|п[’']?ят\p{L}*|beş|پنج|خمسة|خمسه|पांच|पाँच|五|다섯|năm|lima)$/u,
  ],
  [
    6,
    /^(?:six|sechs|seis|sei|zes|sześć|sześciu|шест\p{L}*|шіст\p{L}*|altı|alti|شش|ستة|سته|छह|छः|六|여섯|sáu|enam)$/u,
  ],
  [
    8,
    /^(?:eight|acht|huit|ocho|oito|otto|osiem|ośmiu|восьм\p{L}*|вісім|восьми|sekiz|هشت|ثمانية|ثمانیه|आठ|八|여덟|tám|delapan)$/u,
  ],
];
const unit =
  '(?:digit|number|númer|numer|nummer|nombre|charact|sign|symbol|stellig|ziffer|zahl|zeichen|chiffre|caract|dígit|digit|cifr|algarism|caratter|cijfer|teken|getal' +
  '|cyfr|znak|цифр|знач|знак|символ|hane|basamak|rakam|karakter|ارقام|أرقام|خانات|رقم|अंक|अक्षर|자리|글자|chữ số|số|ký tự|angka)';
const asked = new RegExp(unit, 'gu');
/** Before a unit; sought only there, since every word has this form. */
const number = /(?<![\p{L}\d.,])(\d{1,2}|\p{L}{1,10})[\s-]{0,2}$/u;
const numberReach = 16;
/** Without spaces between words: "请将四位数字", "6桁", "6자리". */
const askedCjk = /(\d{1,2}|[四五六八])(?=[ -]?(?:位|桁|けた|ケタ|文字|자리|글자|个数字|個數字|つの数字))/g;
const foundMax = 40;

/** Returns the lengths from 4 to 10 that the message mentions, except for the last digits of a card. */
export function findAskedLengths(sources: readonly CodeSource[]): ReadonlySet<number> {
  const lengths = new Set<number>();
  for (const source of sources) {
    for (const { start, end, count } of findNumbers(source.folded)) {
      const length = lengthOf(count);
      if (length === undefined || length < 4 || length > 10) continue;
      if (source.hits.some((hit) => hit.tag === 'ending' && hit.start < end && hit.end > start)) continue;
      lengths.add(length);
    }
  }
  return lengths;
}

interface CountedUnit {
  readonly start: number;
  readonly end: number;
  /** A number in digits, or any word. */
  readonly count: string;
}

function findNumbers(folded: string): CountedUnit[] {
  const found: CountedUnit[] = [];
  for (const { index, 0: unitName } of folded.matchAll(asked)) {
    const match = number.exec(folded.slice(Math.max(0, index - numberReach), index));
    if (!match) continue;
    found.push({ start: index - match[0].length, end: index + unitName.length, count: match[1] ?? '' });
    if (found.length >= foundMax) break;
  }
  for (const match of folded.matchAll(askedCjk)) {
    if (found.length >= 2 * foundMax) break;
    found.push({ start: match.index, end: match.index + match[0].length, count: match[1] ?? '' });
  }
  return found;
}

function lengthOf(text: string): number | undefined {
  if (/^\d/.test(text)) return Number(text);
  return words.find(([, pattern]) => pattern.test(text))?.[0];
}
