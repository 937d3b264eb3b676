// Moves events, which are noted beside their sessions on the workers, into the outbox on the coordinator.

import type { Connections, Statement } from '#postgres/connections';
import { MayflyError } from '../../../domain/mayfly-error.ts';
import { asCallersError } from '../database/callers-error.ts';

type Writer = Pick<Connections, 'write'>;

/** Notes moved at once. */
const newsAtOnce = 1000;

const take: Statement = { name: 'mayfly_jobs_take_news', text: 'SELECT mayfly.take_news($1) AS count' };
const dropTaken: Statement = {
  name: 'mayfly_jobs_drop_taken_news',
  text: 'SELECT mayfly.drop_taken_news()',
};
const forgetTaken: Statement = {
  name: 'mayfly_jobs_forget_taken_news',
  text: 'SELECT mayfly.forget_taken_news()',
};

export async function takeNews(connections: Writer): Promise<void> {
  try {
    for (let count = newsAtOnce; count === newsAtOnce;) {
      const [row] = await asCallersError(connections.write<{ count: number }>(take, [newsAtOnce]));
      count = row?.count ?? 0;
      if (count > 0) await asCallersError(connections.write(dropTaken, []));
    }
  } catch (error) {
    // While a worker is unreachable, events stay beside their sessions; the rows in the outbox do not wait for them.
    if (!(error instanceof MayflyError && error.code === 'unavailable')) throw error;
  }
}

/** Forgets notes that were taken and can no longer be seen. */
export async function forgetTakenNews(connections: Writer): Promise<void> {
  await asCallersError(connections.write(forgetTaken, []));
}
