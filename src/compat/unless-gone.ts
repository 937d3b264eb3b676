// Skips messages that are not there, or no longer.

import { MayflyError } from '../domain/mayfly-error.ts';

/** Resolves with undefined when there is no such message. */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MayflyError && error.code === 'message_not_found') return undefined;
    throw error;
  }
}
