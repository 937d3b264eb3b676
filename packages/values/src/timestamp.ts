// The interface's timestamps: UTC, `YYYY-MM-DD HH:MM:SS`. Internally all instants are milliseconds.

/** Formats an instant (ms since 1970) as UTC `YYYY-MM-DD HH:MM:SS`, truncating fractions of a second. */
export function formatTimestamp(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns whole seconds from `nowMs` to `endsAtMs`, never negative. */
export function secondsLeft(endsAtMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((endsAtMs - nowMs) / 1000));
}

const timestamp = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?(Z|[+-]\d\d:\d\d)?)?$/i;
const lastWritable = Date.UTC(10_000, 0) - 1;

/**
 * Parses an instant to ms since 1970: the interface's timestamp, ISO 8601 (UTC when it has no offset; a date means
 * its first instant), or whole seconds since 1970. Undefined for anything else.
 */
export function parseInstant(raw: unknown): number | undefined {
  const seconds = typeof raw === 'string' && /^\d{1,12}$/.test(raw) ? Number(raw) : raw;
  const at = typeof seconds === 'number' ? seconds * 1000 : readTimestamp(raw);
  return Number.isSafeInteger(at) && at >= 0 && at <= lastWritable ? at : undefined;
}

function readTimestamp(raw: unknown): number {
  const found = typeof raw === 'string' ? timestamp.exec(raw) : null;
  if (!found) return NaN;
  const [, date = '', time = '00:00', seconds = '00', offset = 'Z'] = found;
  return Date.parse(`${date}T${time}:${seconds}${offset.toUpperCase()}`);
}
