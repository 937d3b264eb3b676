// Classifies errors of the database and of the connection to it: whether the statement may have been committed, and
// whether a retry makes sense.

import { codeOf } from '../../system-errors/src/error-code.ts';

/**
 * `lost`: the connection broke or the response did not arrive; the statement may have been committed. `collided`: not
 * committed, and an immediate retry may succeed. `busy`: not committed; the database currently has no room, time or
 * permission to write. `doubled`: the row exists already. `outdated`: not executed, since the statement was prepared for
 * an earlier schema or another connection. `other`: an error in the statement or in our code.
 */
export type FaultKind = 'lost' | 'collided' | 'busy' | 'doubled' | 'outdated' | 'other';

/** A statement succeeded after it was given up. */
export class AnsweredLateError extends Error {
  override readonly name = 'AnsweredLateError';

  constructor() {
    super('The database answered too late.');
  }
}

const networkCodes = /^(?:E[A-Z]+|CONNECT_TIMEOUT)$/;

/**
 * Classifies by SQLSTATE (PostgreSQL documentation, appendix A), or by the absence of one. The code `unavailable` is
 * that of errors which callers give `Connections`.
 */
export function faultKindOf(error: unknown): FaultKind {
  if (error instanceof AnsweredLateError) return 'lost';
  const code = codeOf(error);
  if (code === 'unavailable') return 'busy';
  if (code === undefined) return isConnectionText(error) ? 'lost' : 'other';
  if (/^(?:40001|40P01)$/.test(code) || isOfMove(error)) return 'collided';
  if (code === '23505') return 'doubled';
  if (isOutdated(error)) return 'outdated';
  // Cannot connect now, shutting down, crashed; class 08 is the connection itself.
  if (/^(?:08...|57P0[1-5])$/.test(code)) return 'lost';
  // No room (class 53), lock not acquired in time, cancelled, read-only (a replica after a failover).
  if (/^(?:53...|55P03|57014|25006)$/.test(code) || isRefusedByDisk(error)) return 'busy';
  return networkCodes.test(code) ? 'lost' : 'other';
}

/**
 * Reports whether the server, such as Citus's coordinator, could not reach a machine behind it: the statement may have
 * been committed there, and the connection to the server is still usable.
 */
export function isOfMachineBehind(error: unknown): boolean {
  const code = codeOf(error);
  const { severity } = (error ?? {}) as { severity?: unknown };
  // A pooler that closes the connection sends 08P01.
  return code !== undefined && /^08(?!P01)/.test(code) && typeof severity === 'string';
}

/** Reports whether Citus could not plan a statement because a shard was being moved; nothing was executed. */
function isOfMove(error: unknown): boolean {
  const code = codeOf(error);
  const { message } = error as { message?: unknown };
  return code === '0A000' && typeof message === 'string' && message.includes('active placements');
}

/**
 * Reports whether a prepared statement would return other columns than when it was prepared, or does not exist. The
 * text of the error depends on the server's language, the name of the function that raises it does not.
 */
function isOutdated(error: unknown): boolean {
  const code = codeOf(error);
  const { routine } = error as { routine?: unknown };
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}

/** pg's own errors have no code. */
function isConnectionText(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Client was closed|The (?:server|connection) )/i.test(
      error.message,
    )
  );
}

/** Disk full, an input/output error, or a file error without a code of its own, such as a quota. */
export function isRefusedByDisk(error: unknown): boolean {
  const code = codeOf(error);
  const { message } = (error ?? {}) as { message?: unknown };
  if (code === '53100' || code === '58030') return true;
  const isOfFile = code === 'XX000' || code === '42501' || code === '58P01';
  return (
    isOfFile &&
    typeof message === 'string' &&
    /^could not (?:extend|write|create|open)\b.*\bfile /.test(message)
  );
}
