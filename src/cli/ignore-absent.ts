// For files and folders that need not exist.

import { codeOf } from '../domain/error-code.ts';

/** For `catch`: replaces the error that there is no such file with undefined, and passes every other on. */
export function ignoreAbsent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
