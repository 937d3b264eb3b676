// The operator's mailbox in the database, shared by all nodes: mail to postmaster and abuse. Bounded, since anyone may
// write to it. Made by open-postgres-store.ts.

import type { Connections, Statement } from '#postgres/connections';
import type { KeptMessage, OperatorMailbox, OperatorMessage } from '../operator-mailbox.ts';
import { asCallersError, unavailable } from './database/callers-error.ts';

export interface PostgresOperatorMailboxOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
  readonly messagesMax: number;
  readonly bytesMax: number;
}

const chunkBytes = 256 * 1024;

const claim: Statement = {
  name: 'mayfly_operator_claim',
  text: `UPDATE mayfly.operator_mailbox SET messages = messages + 1, bytes = bytes + $1
    WHERE messages < $2 AND bytes < $3 RETURNING id`,
};
const release: Statement = {
  name: 'mayfly_operator_give_back',
  text: `WITH gone AS (DELETE FROM mayfly.operator_messages WHERE id = $1 RETURNING size_bytes)
    UPDATE mayfly.operator_mailbox SET messages = messages - 1, bytes = bytes - gone.size_bytes FROM gone`,
};
const deleteChunks: Statement = {
  name: 'mayfly_operator_delete_chunks',
  text: 'DELETE FROM mayfly.operator_chunks WHERE message_id = $1',
};
const look: Statement = {
  name: 'mayfly_operator_look',
  text: 'SELECT messages, bytes FROM mayfly.operator_mailbox',
};
const insert: Statement = {
  name: 'mayfly_operator_insert',
  text: `INSERT INTO mayfly.operator_messages (received_at, size_bytes) VALUES (mayfly.now_ms($1), $2) RETURNING id`,
};
const insertChunk: Statement = {
  name: 'mayfly_operator_insert_chunk',
  text: 'INSERT INTO mayfly.operator_chunks (message_id, number, data) VALUES ($1, $2, $3)',
};

interface Usage {
  readonly messages: number;
  readonly bytes: number;
}

export class PostgresOperatorMailbox implements OperatorMailbox {
  readonly #options: PostgresOperatorMailboxOptions;

  constructor(options: PostgresOperatorMailboxOptions) {
    this.#options = options;
  }

  async isFull(sizeBytes: number): Promise<boolean> {
    const [usage] = await asCallersError(this.#options.connections.read<Usage>(look, []));
    return usage !== undefined && !this.#hasRoom(usage, Math.max(1, sizeBytes));
  }

  #hasRoom({ messages, bytes }: Usage, sizeBytes: number): boolean {
    const { messagesMax, bytesMax } = this.#options;
    return messages < messagesMax && bytes + sizeBytes <= bytesMax;
  }

  deliver({ sizeBytes, pieces }: OperatorMessage): Promise<KeptMessage | 'full'> {
    const { connections, now, messagesMax, bytesMax } = this.#options;
    const limits = [messagesMax, bytesMax].map((limit) => Math.min(limit, Number.MAX_SAFE_INTEGER));
    let isRead = false;
    const stored = connections.transaction(async (run) => {
      // The pieces cannot be read twice.
      if (isRead) throw unavailable(new Error('The message was not stored in one go.'));
      const [usage] = await run<Usage>(look, []);
      // Below its limits it takes a message of any size, as a session does.
      if (usage && !this.#hasRoom(usage, 1)) return 'full' as const;
      const [message] = await run<{ id: number }>(insert, [now(), sizeBytes]);
      if (!message) throw new Error('The message was given no id.');
      let number = 0;
      isRead = true;
      for (const chunk of inChunks(pieces)) await run(insertChunk, [message.id, number++, chunk]);
      // Last, because this row is locked against all other messages.
      const room = await run(claim, [sizeBytes, ...limits]);
      if (room.length === 0) throw new MailboxFullError();
      return { withdraw: () => this.#withdraw(message.id) };
    });
    return asCallersError(stored).catch((error: unknown) => {
      if (error instanceof MailboxFullError) return 'full';
      throw error;
    });
  }

  async #withdraw(id: number): Promise<void> {
    await asCallersError(
      this.#options.connections.transaction(async (run) => {
        await run(deleteChunks, [id]);
        await run(release, [id]);
      }),
    );
  }
}

/** Rolls the transaction back. */
class MailboxFullError extends Error {
  override readonly name = 'MailboxFullError';
}

function* inChunks(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += chunkBytes) {
      const part = piece.subarray(at, at + chunkBytes);
      if (bytes + part.length > chunkBytes) {
        yield Buffer.concat(waiting);
        waiting = [];
        bytes = 0;
      }
      // The source may overwrite a piece once the next is read.
      waiting.push(Buffer.from(part));
      bytes += part.length;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
