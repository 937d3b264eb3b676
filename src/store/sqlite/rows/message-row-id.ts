// Keeps a session's messages and events together: row id = session's row id · 2^22 + seq. Fits the 53 bits of an exact
// JavaScript number: 2^31 sessions of 2^22 entries over the life of a file.

const span = 2 ** 22;
export const seqMax = span - 1;

export function toRowId(sessionId: number, seq: number): number {
  return sessionId * span + seq;
}

/** Returns the row id of the message with this id; 0, which no row has, for a number that cannot be an id. */
export function toMessageRowId(sessionId: number, id: number): number {
  return Number.isInteger(id) && id >= 1 && id <= seqMax ? toRowId(sessionId, id) : 0;
}

/** Returns an exclusive bound on the session's row ids for any number a caller gives, including infinities. */
export function toRowBound(sessionId: number, seq: number): number {
  return toRowId(sessionId, Math.min(Math.max(seq, 0), span));
}

export function seqOf(rowId: number): number {
  return rowId % span;
}
