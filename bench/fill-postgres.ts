// Fills a PostgreSQL store for measure-filled.ts, and inspects one that a service runs on.
import {
  endingEvery,
  fillLifetimeMs,
  type FilledStore,
  fillTotalMs,
  messageBytes,
  messagesEach,
} from './filled-store.ts';
import type { PostgresServer } from './postgres-server.ts';
import { domain } from './service-process.ts';

const sessionsAtOnce = 50_000;
/** Incompressible bytes, in a multiple of 16. */
const noise = (bytes: number): string =>
  `decode(repeat(md5(random()::text), ${Math.ceil(bytes / 16)}), 'hex')`;
const address = `convert_to(CASE WHEN i % ${endingEvery} = 0 THEN 'e' ELSE 'g' END || i || '@${domain}', 'UTF8')`;
const key = `decode(md5('filled' || i), 'hex')`;

function toStatements(from: number, to: number, now: number): string[] {
  const numbers = `generate_series(${from}, ${to}) AS i`;
  const bucket = `mayfly.bucket_of(${now + fillTotalMs})`;
  const messages = `${numbers} CROSS JOIN generate_series(1, ${messagesEach}) AS seq`;
  return [
    `INSERT INTO mayfly.sessions (version, message_bytes, seq, message_count, created_at, expires_at, latest_end_at,
       quarantine_ms, bucket, key, token_hash, public_key, salt, address, address_key)
     SELECT ${messagesEach}, ${messagesEach * messageBytes}, ${messagesEach}, ${messagesEach}, ${now},
       ${now + fillLifetimeMs}, ${now + fillTotalMs}, 2592000000, ${bucket}, ${key}, sha256(${key}), sha256(random()::text::bytea),
       substr(sha256(random()::text::bytea), 1, 16), ${address}, ${address}
     FROM ${numbers}`,
    `INSERT INTO mayfly.addresses (address_key, session_key) SELECT ${address}, ${key} FROM ${numbers}`,
    `INSERT INTO mayfly.messages (received_at, size_bytes, ingest_id, bucket, seq, session_key, meta)
     SELECT ${now}, ${messageBytes}, i::bigint * 100 + seq, ${bucket}, seq, ${key}, ${noise(263)} FROM ${messages}`,
    `INSERT INTO mayfly.chunks (ingest_id, bucket, number, session_key, data)
     SELECT i::bigint * 100 + seq, ${bucket}, 0, ${key}, ${noise(messageBytes + 61)} FROM ${messages}`,
  ];
}

export function postgresFilledStore(server: PostgresServer, database: string): FilledStore {
  const count = async (sql: string): Promise<number> => Number(await server.query(database, sql));
  return {
    load: async (sessions) => {
      for (let from = 1; from <= sessions; from += sessionsAtOnce) {
        const to = Math.min(sessions, from + sessionsAtOnce - 1);
        for (const sql of toStatements(from, to, Date.now())) await server.query(database, sql);
      }
      // As autovacuum would have done while the rows came in over days.
      await server.queryEach(database, 'VACUUM ANALYZE');
      await server.queryEach(database, 'CHECKPOINT');
    },
    endAt: async (at) => {
      // Two statements: Citus runs no UPDATE of several shards in a WITH.
      await server.query(
        database,
        `UPDATE mayfly.sessions SET expires_at = ${at} WHERE substr(address, 1, 1) = 'e'`,
      );
      return count(`SELECT count(*) FROM mayfly.sessions WHERE expires_at = ${at}`);
    },
    countUnended: (at) =>
      count(`SELECT count(*) FROM mayfly.sessions WHERE ended_at IS NULL AND expires_at <= ${at}`),
    countUnreclaimed: async () =>
      (await count('SELECT count(*) FROM mayfly.sessions WHERE ended_at IS NOT NULL AND NOT is_reclaimed')) *
      messagesEach,
  };
}
