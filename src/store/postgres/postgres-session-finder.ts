// SessionFinder on PostgreSQL. Made by open-postgres-store.ts.

import type { SessionKey } from '../../domain/session.ts';
import type { FoundSession, SessionFinder } from '../session-finder.ts';
import type { Connections, Statement } from './connections.ts';
import { asCallersError } from './database-fault.ts';

export interface PostgresSessionFinderOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

interface FoundRow extends Omit<FoundSession, 'key' | 'address'> {
  readonly key: Buffer;
  readonly address: Buffer;
}

const count: Statement = {
  name: 'mayfly_count_live',
  text: `SELECT count(*) AS live FROM mayfly.sessions
    WHERE ended_at IS NULL AND expires_at > mayfly.now_ms($1)`,
};
const find: Statement = {
  name: 'mayfly_find_live',
  text: `SELECT s.key, s.address, s.created_at AS "createdAt", s.expires_at AS "expiresAt",
      s.message_count AS "messageCount", s.message_bytes AS "messageBytes"
    FROM mayfly.addresses a JOIN mayfly.sessions s ON s.key = a.session_key
    WHERE a.address_key >= $2 AND a.address_key < $3 AND a.free_at IS NULL
      AND s.ended_at IS NULL AND s.expires_at > mayfly.now_ms($1)
    ORDER BY a.address_key LIMIT $4`,
};

export class PostgresSessionFinder implements SessionFinder {
  readonly #options: PostgresSessionFinderOptions;

  constructor(options: PostgresSessionFinderOptions) {
    this.#options = options;
  }

  async countLive(): Promise<number> {
    const { connections, now } = this.#options;
    const [row] = await asCallersError(connections.read<{ live: number }>(count, [now()]));
    return Number(row?.live ?? 0);
  }

  async findLive(start: string, limit: number): Promise<FoundSession[]> {
    const { connections, now } = this.#options;
    const from = Buffer.from(start);
    // No UTF-8 begins with this byte: it comes after every address that begins with `start`.
    const to = Buffer.concat([from, Buffer.of(0xff)]);
    const rows = await asCallersError(connections.read<FoundRow>(find, [now(), from, to, limit]));
    return rows.map((row) => ({
      ...row,
      key: row.key as Uint8Array as SessionKey,
      address: row.address.toString(),
    }));
  }
}
