// Schedules retries of failed webhooks: soon at first, hourly in the end, for a day in total.

const secondsAfterTry = [1, 5, 30, 120, 900, 3600];
const minuteMs = 60_000;

/** A row this old is given up. */
export const giveUpMs = 24 * 60 * minuteMs;

/** `tries` includes this one. Jitter of a fifth keeps rows that failed together from being retried together. */
export function delayAfter(tries: number, random: () => number = Math.random): number {
  const seconds = secondsAfterTry[Math.min(tries, secondsAfterTry.length) - 1] ?? 1;
  return Math.round(seconds * 1000 * (0.9 + 0.2 * random()));
}

const challengeDelaysMs = [5000, 30_000];

/** Returns undefined when the target has used up its tries. */
export function challengeDelayAfter(tries: number): number | undefined {
  return challengeDelaysMs[tries - 1];
}
