// A session's rows in messages and events lie together: row id = session's row id · 2^22 + seq. Both parts fit the
// 53 bits that a JavaScript number holds exactly: 2^31 sessions of 2^22 entries in the life of one file.

const span = 2 ** 22;
export const seqMax = span - 1;

export function toRowId(sessionId: number, seq: number): number {
  return sessionId * span + seq;
}

/** The row id of the message with this id; 0, which no row has, for a number that cannot be one. */
export function toMessageRowId(sessionId: number, id: number): number {
  return Number.isInteger(id) && id >= 1 && id <= seqMax ? toRowId(sessionId, id) : 0;
}

/** An exclusive bound on the session's row ids for any number a caller gives, infinite ones included. */
export function toRowBound(sessionId: number, seq: number): number {
  return toRowId(sessionId, Math.min(Math.max(seq, 0), span));
}

export function seqOf(rowId: number): number {
  return rowId % span;
}
