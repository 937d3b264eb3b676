// Parses the dates of `before:` and `after:`, in the time zone that a search names. Pure.

import { MayflyError } from '../../domain/mayfly-error.ts';

const written =
  /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/**
 * Returns ms since 1970, or undefined for an invalid date. Text without a zone is in `timeZone`, or UTC when that is
 * empty.
 * @throws MayflyError invalid_parameter for an unknown time zone
 */
export function parseSearchDate(text: string, timeZone = ''): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const match = written.exec(text);
  if (!match) return undefined;
  const [, year, month, day = '1', hours = '0', minutes = '0', seconds = '0', zone] = match;
  const parts = [year, month, day, hours, minutes, seconds].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const at = Date.UTC(parts[0], parts[1] - 1, ...(parts.slice(2) as [number, number, number, number]));
  if (!isSame(at, parts)) return undefined;
  return at - (zone === undefined ? zoneOffsetMs(at, timeZone) : offsetMs(zone));
}

/** A date that does not exist, such as February 30, would become another day. */
function isSame(at: number, [year, month, day, hours, minutes, seconds]: readonly number[]): boolean {
  const date = new Date(at);
  return (
    date.getUTCFullYear() === year &&
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hours &&
    date.getUTCMinutes() === minutes &&
    date.getUTCSeconds() === seconds
  );
}

function offsetMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Returns the zone's offset from UTC when its clocks show this time. */
function zoneOffsetMs(shown: number, timeZone: string): number {
  if (timeZone === '') return 0;
  const first = offsetAt(shown, timeZone);
  // Near a clock change the first guess may be on the other side of it.
  return offsetAt(shown - first, timeZone);
}

function offsetAt(at: number, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour') % 24, of('minute'), of('second'));
  return shown - Math.floor(at / 1000) * 1000;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new MayflyError('invalid_parameter', '`tz` is not a time zone such as Europe/Berlin.', {
      parameter: 'tz',
    });
  }
}
