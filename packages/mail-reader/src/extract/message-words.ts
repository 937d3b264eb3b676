// Properties of a whole message, the same for every candidate in it. Made by find-codes.ts, used by the scoring.
import { findAskedLengths } from './asked-length.ts';
import { postalPin } from './borrowed-words.ts';
import type { CodeSource } from './code-source.ts';
import { isFiledUnderNumber } from './reference-number.ts';
import { network } from './weigh-against.ts';

/** Properties of the whole message. */
export interface MessageWords {
  /** The weight of the strongest code word in the subject. */
  subjectWeight: number;
  /** Whether there is exactly one candidate with digits, apart from years. */
  hasOneNumber: boolean;
  /** Whether the message says that the code is in the subject. */
  isInSubject: boolean;
  /** The number of words about codes, and about discounts, in all sources. */
  codeWords: number;
  couponWords: number;
  /** The number of words about journeys and meetings. */
  occasionWords: number;
  hasOccasionInSubject: boolean;
  /** Whether it is about signing in or confirming, or mentions validity or secrecy. */
  hasPurpose: boolean;
  /** Whether it is about an order or a bill: its subject says so, or it has a price beside such labels. */
  isOrder: boolean;
  /** Whether it contains an amount of money. */
  hasMoney: boolean;
  hasValidity: boolean;
  /** Whether it has words that the lists of some language know. */
  isUnderstood: boolean;
  /** Whether the subject has the number of an issue, a ticket or a build. */
  isFiled: boolean;
  /** Whether the subject is about a network: "Guest Wi-Fi". */
  isOfNetwork: boolean;
  /** "Enter the 6 digits": the lengths it mentions; see asked-length.ts. */
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
    isUnderstood: false,
    isFiled: sources.some(({ name, text }) => name === 'subject' && isFiledUnderNumber(text)),
    isOfNetwork: sources.some(({ name, folded }) => name === 'subject' && network.test(folded)),
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
      if (tag !== 'month' && tag !== 'copula') words.isUnderstood = true;
      if (tag === 'inSubject') words.isInSubject = true;
      if (tag === 'other') labels++;
      if (source.name !== 'subject') continue;
      if (tag === 'occasion') words.hasOccasionInSubject = true;
      if (tag === 'other') isOnOrder = true;
      const weight = tag === 'code' ? 4 : tag === 'pin' || tag === 'weak' ? 2.8 : tag === 'act' ? 1.5 : 0;
      words.subjectWeight = Math.max(words.subjectWeight, weight);
    }
  }
  // "Confirm your order" is a request.
  words.isOrder = words.subjectWeight === 0 && (isOnOrder || (words.hasMoney && labels >= 2));
  return words;
}
