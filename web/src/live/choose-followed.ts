// Decides which mailboxes get a stream: the current one, those viewed before it, then the newest; the rest are polled.
// Called by app/live-links.ts.

/** Streams per window: a browser has six connections per server over HTTP/1.1. */
export const followedMax = 3;

/**
 * @param all oldest first
 * @param looked most recently viewed first; entries missing from `all` are skipped
 */
export function chooseFollowed<T>(all: readonly T[], looked: readonly T[]): T[] {
  const candidates = [...looked.filter((one) => all.includes(one)), ...all.toReversed()];
  return [...new Set(candidates)].slice(0, followedMax);
}
