// Retries like a sender when a busy machine replies 421, which `sendmail` reports as 75.
import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 180_000;

/** Sends until the reply is not a 421. @throws the last error of `send` */
export async function comeAgain<T>(send: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + deadlineMs; ; await delay(100)) {
    try {
      return await send();
    } catch (error) {
      const { responseCode, message } = error as { responseCode?: number; message?: string };
      const isTurnedAway = responseCode === 421 || message?.endsWith('exited with code 75') === true;
      if (!isTurnedAway || performance.now() > until) throw error;
    }
  }
}

/** Repeats a request that a busy service answers with 503, as its Retry-After says. */
export async function fetchAgain(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  for (const until = performance.now() + deadlineMs; ;) {
    const answer = await fetch(url, { headers });
    const seconds = Number(answer.headers.get('retry-after') ?? NaN);
    if (answer.status !== 503 || Number.isNaN(seconds) || performance.now() > until) return answer;
    await answer.arrayBuffer();
    await delay(seconds * 1000);
  }
}
