// Parses the Date field (RFC 5322 §3.3 and its obsolete forms, §4.3) into an instant. Stricter than Date.parse, which
// accepts almost anything: an invalid date gives null.

const maxDateChars = 200;
const dateTime =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3})[a-z]{0,6}\.?[\s-]+(\d{2,4})\s+(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2}))?(?:\s*([+-]\d{4})|\s+([a-z]{1,5}))?/i;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** RFC 5322 §4.3, in hours from UTC. Military and unknown zones count as UTC, as the RFC requires. */
const zoneHours: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
  cet: 1,
  cest: 2,
  bst: 1,
  jst: 9,
};

/** Returns milliseconds since 1970 UTC; null unless the value is a date in the years 1900 to 9999. */
export function parseHeaderDate(value: string): number | null {
  const text = value
    .slice(0, maxDateChars)
    .replace(/\([^()]*\)/g, ' ')
    .trim();
  const match = dateTime.exec(text);
  if (match === null) return null;
  const [, day, monthName, yearText, hour, minute, second, offset, zone] = match;
  const month = months.indexOf((monthName ?? '').toLowerCase());
  const year = toYear(yearText ?? '');
  if (month < 0 || year < 1900 || Number(day) < 1 || Number(day) > daysIn(year, month)) return null;
  // A leap second counts as the second before it.
  const seconds = Math.min(Number(second ?? 0), 59);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  const local = Date.UTC(year, month, Number(day), Number(hour), Number(minute), seconds);
  return local - toOffsetMs(offset, zone);
}

/** Two digits are 1950 to 2049, three are from 1900 (RFC 5322 §4.3). */
function toYear(text: string): number {
  const year = Number(text);
  if (text.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return text.length === 3 ? 1900 + year : year;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

function toOffsetMs(offset: string | undefined, zone: string | undefined): number {
  if (offset === undefined) return (zoneHours[(zone ?? '').toLowerCase()] ?? 0) * 3_600_000;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3, 5));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
