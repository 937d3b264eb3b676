// Which mailboxes are followed by a stream of their own: the one looked at and those looked at before it, then the newest;
// the rest is asked now and then. Called by app/live-links.ts.

/** Streams of one window: a browser has six connections to one server over HTTP/1.1. */
export const followedMax = 3;

/**
 * @param all oldest first
 * @param looked looked at, the latest first; what is no longer among `all` is passed over
 */
export function chooseFollowed<T>(all: readonly T[], looked: readonly T[]): T[] {
  const candidates = [...looked.filter((one) => all.includes(one)), ...all.toReversed()];
  return [...new Set(candidates)].slice(0, followedMax);
}
