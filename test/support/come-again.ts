// Sending as senders do: when a busy machine answers 421, they come again.
import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 60_000;

/** Sends until the answer is another than 421. @throws what `send` threw last */
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
