// The time that a server asks for in Retry-After (RFC 9110 §10.2.3). A date is read against the server's own clock, so
// that a wrong clock here changes nothing.

/** @param headers names in lower case. @returns undefined when there is none that can be read */
export function readRetryAfter(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  now: number,
): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = /^[A-Z][a-z]+day, |^[A-Z][a-z]{2},? /.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(at)) return undefined;
  const { date } = headers;
  const serverNow = typeof date === 'string' ? Date.parse(date) : NaN;
  return Math.max(0, at - (Number.isNaN(serverNow) ? now : serverNow));
}
