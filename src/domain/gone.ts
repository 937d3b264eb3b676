// The errors for readers of a session or message that is gone. Thrown by the stores too, so that every interface answers
// the same when a session ends, or a message is deleted, while it is being read.

import { MayflyError } from './mayfly-error.ts';

export function sessionExpired(): MayflyError {
  return new MayflyError('session_expired', 'The session has ended; its messages are gone.');
}

export function messageNotFound(): MayflyError {
  return new MayflyError('message_not_found', 'The session has no message with this id.', {
    parameter: 'id',
  });
}

/** Reports whether the session ended while something of it was being read. */
export function isSessionGone(error: unknown): boolean {
  return error instanceof MayflyError && error.code === 'session_expired';
}

/** Resolves with undefined when there is no such message, or no longer. Rejects when the session is gone. */
export async function unlessDeleted<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MayflyError && error.code === 'message_not_found') return undefined;
    throw error;
  }
}
