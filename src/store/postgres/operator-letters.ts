// Reads the operator's mail from the database, on a connection of its own. Used by `mayfly mailbox`.

import type pg from 'pg';

import { withConnection } from '#postgres/connections';
import type { Letter, Letters } from '../operator-mailbox.ts';

/** @throws errors of pg */
export function withLetters<T>(url: string, work: (letters: Letters) => Promise<T>): Promise<T> {
  return withConnection(url, (client) => work(toLetters(client)));
}

interface LetterRow {
  readonly id: string;
  readonly is_read: boolean;
  readonly received_at: number;
  readonly size_bytes: number;
}

function toLetters(client: pg.Client): Letters {
  return {
    list: async () => {
      const { rows } = await client.query<LetterRow>(
        `SELECT id::text, is_read, received_at, size_bytes FROM mayfly.operator_messages
         ORDER BY received_at DESC, operator_messages.id DESC`,
      );
      return rows.map(toLetter);
    },
    read: (id, bytesMax) => readStart(client, id, bytesMax),
    markRead: async (id) => {
      await client.query('UPDATE mayfly.operator_messages SET is_read = true WHERE id = $1', [id]);
    },
    remove: async (id) => {
      await client.query(
        `WITH gone AS (DELETE FROM mayfly.operator_messages WHERE id = $1 RETURNING id, size_bytes),
           chunks AS (DELETE FROM mayfly.operator_chunks WHERE message_id IN (SELECT id FROM gone))
         UPDATE mayfly.operator_mailbox SET messages = messages - 1, bytes = bytes - gone.size_bytes FROM gone`,
        [id],
      );
    },
  };
}

function toLetter({ id, is_read: isRead, received_at: at, size_bytes: bytes }: LetterRow): Letter {
  return { id, isNew: !isRead, at: new Date(at), bytes };
}

async function readStart(client: pg.Client, id: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = bytesMax; left > 0;) {
    const { rows } = await client.query<{ data: Buffer }>(
      'SELECT substr(data, 1, $3) AS data FROM mayfly.operator_chunks WHERE message_id = $1 AND number = $2',
      [id, chunks.length, left],
    );
    const [chunk] = rows;
    if (!chunk) break;
    chunks.push(chunk.data);
    left -= chunk.data.length;
  }
  return Buffer.concat(chunks);
}
