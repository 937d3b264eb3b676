// Parses the Date field (RFC 5322 §3.3 and its obsolete forms, §4.3) and what programs write in its place: asctime, ISO
// 8601, JavaScript's Date. A value that is not understood to its end gives null: a wrong hour is worse than none.

const dateMaxChars = 200;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** English only: in other languages another month may begin like this (Finnish marraskuu is November). */
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const weekday = '(?:[a-z\\x80-\\xff]{1,14}\\.?(?:,\\s*|\\s+))?';
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
/** `Nov 25 10:00` has no year here: short years end before the time. */
const year = '(\\d{4}|\\d{2,3}(?=[\\s,]))';
const dayFirst = new RegExp(`^${weekday}${day}[\\s/,.-]*${month}(?:[\\s/,-]*${year})?(?=[\\s,:T])`, 'i');
const monthFirst = new RegExp(`^${weekday}${month}[\\s-]*${day}(?:[\\s,-]+${year})?(?=[\\s,])`, 'i');
const yearFirst = /^(\d{4})([-/]?)(\d{2})\2(\d{2})(?=[T\s])/i;
const clock =
  /^[\s,:T]+(\d{1,2})(?:([:.])(\d{1,2})(?:\2(\d{1,2})(?:[.,:]\d{1,9})?)?|(?<=T\d\d)(\d\d)(\d\d))(?!\d)(?:\s*([ap])\.?m\b\.?)?/i;
/** In asctime and date(1) the year comes after the time, with a zone on either side. */
const lateYear =
  /^(?:\s*([a-z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{1,2}(?::?\d{2})?))?\s+(\d{4})(?:\s+(\S.*))?$/i;
const zone = /^([a-z]{1,5})?\s*(?:([+-])(\d{1,2})(?::?(\d{2}))?(?:\s+[a-z][a-z .]*)?)?$/i;

/**
 * RFC 5322 §4.3 and zones whose abbreviation means one thing, in hours from UTC. Any other, military letters included,
 * may be off by a day.
 */
const zoneHours: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
  akdt: -8,
  akst: -9,
  hst: -10,
  west: 1,
  bst: 1,
  cet: 1,
  met: 1,
  cest: 2,
  mest: 2,
  mesz: 2,
  mez: 1,
  eet: 2,
  eest: 3,
  msk: 3,
  hkt: 8,
  sgt: 8,
  awst: 8,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
};
/** From UTC-12 to UTC+14. */
const offsetMaxMinutes = 14 * 60;

interface CivilDate {
  readonly year: string | undefined;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  /** The text after it. */
  readonly rest: string;
}

/** Returns milliseconds since 1970 UTC, in whole seconds; null unless the value is a date in the years 1900 to 9999. */
export function parseHeaderDate(value: string): number | null {
  if (value.length > dateMaxChars) return null;
  const date = readDate(withoutComments(value));
  const match = date && clock.exec(date.rest);
  if (!date || !match) return null;
  const time = toSecondOfDay(match);
  const after = date.rest.slice(match[0].length);
  const late = date.year === undefined ? lateYear.exec(after) : null;
  const offset = toOffsetMinutes(late === null ? after : `${late[1] ?? ''} ${late[3] ?? ''}`);
  const fullYear = toYear(date.year ?? late?.[2] ?? '');
  if (time === undefined || offset === undefined || fullYear < 1900) return null;
  if (date.day < 1 || date.day > daysIn(fullYear, date.month)) return null;
  return Date.UTC(fullYear, date.month, date.day) + time * 1000 - offset * 60_000;
}

/** Comments nest; Java writes the zone's name in square brackets. */
function withoutComments(value: string): string {
  let depth = 0;
  let kept = '';
  for (const char of value) {
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += char;
  }
  return kept.trim();
}

function readDate(text: string): CivilDate | undefined {
  const iso = yearFirst.exec(text);
  if (iso !== null) {
    const monthIndex = Number(iso[3]) - 1;
    if (monthIndex < 0 || monthIndex > 11) return undefined;
    return { year: iso[1], month: monthIndex, day: Number(iso[4]), rest: text.slice(iso[0].length) };
  }
  const first = dayFirst.exec(text);
  const match = first ?? monthFirst.exec(text);
  if (match === null) return undefined;
  const [name, dayText] = first === null ? [match[1], match[2]] : [match[2], match[1]];
  return {
    year: match[3],
    month: months.indexOf((name ?? '').slice(0, 3).toLowerCase()),
    day: Number(dayText),
    rest: text.slice(match[0].length),
  };
}

function toSecondOfDay(match: RegExpExecArray): number | undefined {
  const hour = toHour(Number(match[1]), match[7]?.toLowerCase());
  const minute = Number(match[3] ?? match[5]);
  const second = Number(match[4] ?? match[6] ?? 0);
  if (hour === undefined || minute > 59 || second > 60) return undefined;
  // A leap second counts as the second before it.
  return hour * 3600 + minute * 60 + Math.min(second, 59);
}

function toHour(hour: number, half: string | undefined): number | undefined {
  if (hour > 23) return undefined;
  if (half === 'a') return hour > 12 ? undefined : hour % 12;
  return half === 'p' && hour < 12 ? hour + 12 : hour;
}

/** Two digits are 1950 to 2049, three are from 1900 (RFC 5322 §4.3). */
function toYear(text: string): number {
  const value = Number(text);
  if (text.length === 2) return value < 50 ? 2000 + value : 1900 + value;
  return text.length === 3 ? 1900 + value : value;
}

function daysIn(fullYear: number, monthIndex: number): number {
  return new Date(Date.UTC(fullYear, monthIndex + 1, 0)).getUTCDate();
}

/** A missing zone counts as UTC; undefined for one that is unknown, contradicts itself or lies outside the earth's. */
function toOffsetMinutes(text: string): number | undefined {
  const match = zone.exec(text.trim());
  if (match === null) return undefined;
  const [, name, sign, hours, minutes = '0'] = match;
  const named = name === undefined ? 0 : zoneHours[name.toLowerCase()];
  if (sign === undefined) return named === undefined ? undefined : named * 60;
  const ahead = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || ahead > offsetMaxMinutes) return undefined;
  const offset = sign === '-' ? -ahead : ahead;
  // `GMT+0100` is an hour ahead of GMT; `CET+0100` says the same twice.
  return named === undefined || named === 0 || named * 60 === offset ? offset : undefined;
}
