// Retries dead webhooks.

import type { JobsStore } from '../../store/jobs-store.ts';
import { OperatorError } from './operator-error.ts';

/** Returns how many are due again. @throws OperatorError when none has this id */
export async function replayDeadWebhooks(
  jobs: Pick<JobsStore, 'replayDead'>,
  id: number | 'all',
): Promise<number> {
  const replayed = await jobs.replayDead(id);
  if (replayed === 0 && id !== 'all') throw new OperatorError(`There is no dead webhook ${id}.`);
  return replayed;
}
