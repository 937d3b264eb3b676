// How a delivery is written: by message-rows.ts in the service's thread, or by delivery-worker.mjs beside it.

export const deliverySql = {
  // One statement is the liveness check, the quota check and the number. The number is the row's own plus one, which is
  // known: RETURNING it would cost a table in memory each time.
  takeSeq: `UPDATE session_states SET seq = seq + 1, version = version + 1, message_count = message_count + 1,
       message_bytes = message_bytes + ?
     WHERE session_id = ? AND ended_at IS NULL AND expires_at > ? AND message_count < ?
       AND message_bytes + ? <= ? AND seq = ? AND seq < ?`,
  insertContent: 'INSERT INTO contents (meta, raw) VALUES (?, ?)',
  insertMessage: 'INSERT INTO messages (id, received_at, size_bytes, content_id) VALUES (?, ?, ?, ?)',
  insertChunk: 'INSERT INTO chunks VALUES (?, ?, ?)',
} as const;
