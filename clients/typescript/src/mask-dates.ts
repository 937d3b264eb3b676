// Dates and times of day in a text, as 29 languages write them.

import { monthNames, weekdayNames } from './date-words.ts';

const start = String.raw`(?<![\p{L}\p{N}])`;
const end = String.raw`(?![\p{L}\p{N}])`;
const month = String.raw`(?:${monthNames})\.?`;
const weekday = String.raw`(?:${weekdayNames})\.?`;
const year = String.raw`(?:19|20)\d{2}`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th|er|[.ºª°])?`;
/** Before a month or year: "3 de marzo de 2026", "3rd of March". */
const of = "(?:(?:de|del|of) |d[’']|ב)?";
const half = String.raw`(?:[ap]\. ?m\.|[ap]m|[πμ]\.μ\.|[صم])`;
const halfBefore = '(?:오전|오후|上午|下午|午前|午後|[AP]M)';
const zone = String.raw`(?: ?(?:${half}${end}|(?:Z|UTC|GMT|CES?T)${end}|[+-]\d{2}:?\d{2}))*`;
const clock = String.raw`(?:${halfBefore} ?)?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?${zone}`;
/** After a word for the clock alone: it would be a price. */
const dotted = String.raw`(?:(?<=kl\. )|(?<=klo )|(?<=pukul ))\d{1,2}\.\d{2}${end}`;
const time = String.raw`(?:${clock}|${dotted}|\d{1,2}h\d{2}${end}|\d{1,2} ?${half}${end}|${halfBefore}?\d{1,2}[時시点] ?(?:\d{1,2}[分분])?)`;
const written = [
  String.raw`${day} ?${of}${month}(?:,? ${of}${year})?`,
  String.raw`${month} ${day}(?:,? ${year})?`,
  String.raw`${year}\.? ${month} ${day}`,
  String.raw`${month},? ${of}${year}`,
  String.raw`\d{1,2} (?:tháng|thg) \d{1,2}(?:,? (?:năm )?${year})?`,
].join('|');
const asian = [
  String.raw`(?:\d{4}年)?\d{1,2}月\d{1,2}日(?: ?[（(]?(?:[月火水木金土日]曜日?|[星週周]期?[一二三四五六日天]|[月火水木金土日](?=[）)]))[）)]?)?`,
  String.raw`(?:\d{4}년 ?)?\d{1,2}월 ?\d{1,2}일(?: ?\(?[월화수목금토일](?:요일)?\)?)?`,
].join('|');
const numbers = [
  String.raw`${year}([-./]) ?\d{1,2}\1 ?\d{1,2}\1?(?:T| (?=\d{1,2}:))?(?:${clock})?`,
  String.raw`\d{1,2}([./])\d{1,2}\2(?:19|20)?\d{2}`,
  String.raw`\d{1,2}([-.]) ?\d{1,2}\3 ?${year}`,
].join('|');
const dates = new RegExp(
  [
    `${start}(?:${numbers})${end}`,
    `(?:${start}${weekday}[,،]? (?:de[nm] |the )?)?${start}(?:${written})${end}(?:,? (?:at )?(?:${clock}|\\d{1,2}\\.\\d{2}${end}))?(?: ${weekday}${end})?(?: \\([A-Z]{3,5}\\))?`,
    asian,
    `(?:${start}${weekday},? (?:at )?)?${start}${time}`,
  ].join('|'),
  'giu',
);
/** A line of copyright has the year in which it was sent. */
const copyright = /((?:©|&copy;|\(c\)) ?)(?:19|20)\d{2}(?: ?[-–] ?(?:19|20)\d{2})?/giu;

export function maskDates(text: string): string {
  return text.replaceAll(dates, '[date]').replaceAll(copyright, '$1[year]');
}
