// A disk that refuses a write: full, over quota, past a file's size limit, read-only, failing. Nothing was stored, what is
// stored can be read, and a later try may succeed, so senders get 452 and HTTP clients 503. A failed fsync is not among
// them: after it the disk may have lost what it took.

import { codeOf } from '#system-errors/error-code';
import { MayflyError } from './mayfly-error.ts';

const retryAfterSeconds = 30;

const errnos = /^(?:ENOSPC|EDQUOT|EFBIG|EROFS|EIO|ESTALE|EACCES|EPERM)$/;
/** SQLite tells only a full disk from the rest; reading, locking and syncing have codes of their own. */
const sqliteCodes =
  /^SQLITE_(?:FULL|PERM|READONLY(?:_\w+)?|CANTOPEN(?:_\w+)?|IOERR_(?:WRITE|TRUNCATE|SHMOPEN|SHMSIZE|SHMMAP|GETTEMPPATH))$/;

export class RefusedWriteError extends MayflyError {
  override readonly name = 'RefusedWriteError';

  constructor(cause: unknown) {
    super('unavailable', 'The disk takes no writes just now; reading works. Try again later.', {
      retryAfterSeconds,
      cause,
    });
  }
}

/** Reports whether the file system or SQLite refused a write. */
export function isRefusedWrite(error: unknown): boolean {
  if (error instanceof RefusedWriteError) return true;
  const code = codeOf(error);
  return code !== undefined && (errnos.test(code) || sqliteCodes.test(code));
}

/** Returns the error for callers of a write: a RefusedWriteError for a refusal, any other error as it is. */
export function toWriteError(error: unknown): unknown {
  return isRefusedWrite(error) && !(error instanceof RefusedWriteError)
    ? new RefusedWriteError(error)
    : error;
}

/** Rejects as `toWriteError` says. */
export async function asWrite<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw toWriteError(error);
  }
}
