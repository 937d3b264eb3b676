// Copies the embedded store to a file beside it, for a backup.

import { CopyRefused, type StoreCopy } from '../../store/store-copy.ts';
import { OperatorError } from './operator-error.ts';

/** Returns the file's path; the caller moves it away at once. @throws OperatorError when it cannot be made now */
export async function copyStore(copy: StoreCopy): Promise<string> {
  try {
    return (await copy.make()).file;
  } catch (error) {
    if (error instanceof CopyRefused) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}
