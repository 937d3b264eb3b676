// Retries like a sender when a busy machine replies 421.
import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 60_000;

/** Sends until the reply is not a 421. @throws the last error of `send` */
export async function comeAgain<T>(send: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + deadlineMs; ; await delay(100)) {
    try {
      return await send();
    } catch (error) {
      const isTurnedAway = (error as { responseCode?: number }).responseCode === 421;
      if (!isTurnedAway || performance.now() > until) throw error;
    }
  }
}
