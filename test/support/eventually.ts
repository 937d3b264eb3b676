// Polls for a condition, with a deadline that suits a slow machine.

import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 60_000;
const pauseMs = 10;

/** Resolves with the first result that is not undefined. @param what named in the error when none arrives */
export async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > until) throw new Error(`It never became true that ${what}.`);
    await delay(pauseMs);
  }
}
