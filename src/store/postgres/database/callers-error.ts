// The errors that callers of the store receive for those of the database.

import { faultKindOf, isRefusedByDisk } from '#postgres/fault-kind';
import { MayflyError } from '../../../domain/mayfly-error.ts';
import { RefusedWriteError } from '../../../domain/refused-write.ts';

/** Seconds after which a client may retry; most outages end sooner. */
const retryAfterSeconds = 2;

/** Rejects with the error for the store's callers: `unavailable` for a passing outage, otherwise the original one. */
export async function asCallersError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toCallersError(error);
  }
}

function toCallersError(error: unknown): unknown {
  if (error instanceof MayflyError) return error;
  const kind = faultKindOf(error);
  return kind === 'other' || kind === 'doubled' ? error : unavailable(error);
}

export function unavailable(cause: unknown): MayflyError {
  if (isRefusedByDisk(cause)) return new RefusedWriteError(cause);
  return new MayflyError('unavailable', 'The store cannot be reached just now; try again soon.', {
    retryAfterSeconds,
    cause,
  });
}
