// Waits for what becomes true by itself, with a deadline that a slow machine keeps.

import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 30_000;
const pauseMs = 10;

/** Resolves with the first answer that is not undefined. @param what told when it never comes */
export async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > until) throw new Error(`It never became true that ${what}.`);
    await delay(pauseMs);
  }
}
