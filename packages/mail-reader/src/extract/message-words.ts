// What a message says as a whole, the same for every candidate in it. Made by find-codes.ts, read by the scoring.
import { findAskedLengths } from './asked-length.ts';
import { postalPin } from './borrowed-words.ts';
import type { CodeSource } from './code-source.ts';

/** What the whole message says, the same for every candidate of it. */
export interface MessageWords {
  /** Weight of the strongest code word in the subject. */
  subjectWeight: number;
  /** There is one candidate with digits, years apart. */
  hasOneNumber: boolean;
  /** The code is said to stand in the subject. */
  isInSubject: boolean;
  /** Words about a code, and about discounts, in all sources. */
  codeWords: number;
  couponWords: number;
  /** Words of journeys and meetings. */
  occasionWords: number;
  hasOccasionInSubject: boolean;
  /** The message speaks of signing in or confirming, or of validity and secrecy. */
  hasPurpose: boolean;
  /** It is on an order or a bill: its subject says so, or it has a price beside such labels. */
  isOrder: boolean;
  /** An amount of money stands in it. */
  hasMoney: boolean;
  hasValidity: boolean;
  /** "Enter the 6 digits": how many signs it speaks of; see asked-length.ts. */
  readonly askedLengths: ReadonlySet<number>;
}

/** "12.50" and "1.234,56"; not in the date "17.07.2026" or the version "3.2.10". */
const money =
  /[$€£¥₹₽₺₴₫₩]|(?<!\.\d?)\d[.,]\d\d(?!\d|\.\d)|\d[.,]\d{3}(?!\d| ?(?:BTC|ETH|LTC|SOL|XRP|BNB|TRX|TON))|\d ?(?:[円元원]|руб|грн|zł|kr\b|Kč|Ft\b|lei\b|TL\b|лв|บาท|টাকা|روپے|ريال|تومان|ריال|ש"ח)/;

export function readMessageWords(sources: readonly CodeSource[]): MessageWords {
  const words: MessageWords = {
    subjectWeight: 0,
    isInSubject: false,
    hasOneNumber: false,
    codeWords: 0,
    couponWords: 0,
    occasionWords: 0,
    hasOccasionInSubject: false,
    hasPurpose: false,
    isOrder: false,
    hasMoney: false,
    hasValidity: false,
    askedLengths: findAskedLengths(sources),
  };
  let labels = 0;
  let isOnOrder = false;
  for (const source of sources) {
    if (money.test(source.text)) words.hasMoney = true;
    for (const { tag, end } of source.hits) {
      if (tag === 'code' || (tag === 'pin' && !postalPin.test(source.text.slice(end, end + 24)))) {
        words.codeWords++;
      }
      if (tag === 'coupon') words.couponWords++;
      if (tag === 'occasion') words.occasionWords++;
      if (tag === 'act') words.hasPurpose = true;
      if (tag === 'valid') words.hasValidity = true;
      if (tag === 'inSubject') words.isInSubject = true;
      if (tag === 'other') labels++;
      if (source.name !== 'subject') continue;
      if (tag === 'occasion') words.hasOccasionInSubject = true;
      if (tag === 'other') isOnOrder = true;
      const weight = tag === 'code' ? 4 : tag === 'pin' || tag === 'weak' ? 2.8 : tag === 'act' ? 1.5 : 0;
      words.subjectWeight = Math.max(words.subjectWeight, weight);
    }
  }
  // "Confirm your order" asks for something.
  words.isOrder = words.subjectWeight === 0 && (isOnOrder || (words.hasMoney && labels >= 2));
  return words;
}
