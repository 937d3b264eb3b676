// When a webhook that failed is tried again: soon at first, hourly in the end, for a day in all.

const secondsAfterTry = [1, 5, 30, 120, 900, 3600];
const minuteMs = 60_000;

/** What was queued this long ago is given up. */
export const giveUpMs = 24 * 60 * minuteMs;

/** `tries` made so far, this one included. Jitter of a fifth keeps what failed together from coming back together. */
export function delayAfter(tries: number, random: () => number = Math.random): number {
  const seconds = secondsAfterTry[Math.min(tries, secondsAfterTry.length) - 1] ?? 1;
  return Math.round(seconds * 1000 * (0.9 + 0.2 * random()));
}

const challengeDelaysMs = [5000, 30_000];

/** Undefined: the target has had its chances. */
export function challengeDelayAfter(tries: number): number | undefined {
  return challengeDelaysMs[tries - 1];
}
