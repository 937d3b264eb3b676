// Fills a SQLite store for measure-filled.ts, and inspects one that a service runs on.
import Database from 'better-sqlite3';

import {
  endingEvery,
  fillLifetimeMs,
  type FilledStore,
  fillTotalMs,
  messageBytes,
  messagesEach,
} from './filled-store.ts';
import { domain } from './service-process.ts';

const span = 2 ** 22;
const sessionsAtOnce = 20_000;
/** Far above the ids of sessions created over HTTP. */
const base = 10_000_000;

const seqs = `WITH RECURSIVE m (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM m WHERE seq < ${messagesEach})
  SELECT seq FROM m`;

const statements = [
  `INSERT INTO sessions (id, key, token_hash, address, address_key, created_at, latest_end_at, quarantine_ms,
     public_key, salt)
   SELECT ${base} + i, randomblob(16), randomblob(32), name, name, :now, :now + ${fillTotalMs}, 2592000000,
     randomblob(32), randomblob(16)
   FROM (SELECT i, iif(i % ${endingEvery} = 0, 'e', 'g') || i || '@${domain}' AS name FROM n)`,
  `INSERT INTO session_states (session_id, expires_at, seq, version, message_count, message_bytes)
   SELECT ${base} + i, :now + ${fillLifetimeMs}, ${messagesEach}, ${messagesEach}, ${messagesEach},
     ${messagesEach * messageBytes} FROM n`,
  `INSERT INTO addresses (address_key, session_id)
   SELECT iif(i % ${endingEvery} = 0, 'e', 'g') || i || '@${domain}', ${base} + i FROM n ORDER BY 1`,
  `INSERT INTO messages (id, received_at, size_bytes, content_id)
   SELECT (${base} + i) * ${span} + seq, :now, ${messageBytes}, ${base} + (i - 1) * ${messagesEach} + seq
   FROM n CROSS JOIN (${seqs})`,
  `INSERT INTO contents (id, meta, raw)
   SELECT ${base} + (i - 1) * ${messagesEach} + seq, randomblob(263), randomblob(${messageBytes + 61})
   FROM n CROSS JOIN (${seqs})`,
];

export function sqliteFilledStore(file: string): FilledStore {
  const withDatabase = <Result>(work: (database: Database.Database) => Result): Promise<Result> => {
    const database = new Database(file, { fileMustExist: true, timeout: 10_000 });
    try {
      return Promise.resolve(work(database));
    } finally {
      database.close();
    }
  };
  const count = (sql: string, values: Readonly<Record<string, number>> = {}): Promise<number> =>
    withDatabase((database) => database.prepare<unknown[], number>(sql).pluck().get(values) ?? 0);
  return {
    load: (sessions) =>
      withDatabase((database) => {
        database.pragma('synchronous = OFF');
        for (let from = 1; from <= sessions; from += sessionsAtOnce) {
          const part = { from, to: Math.min(sessions, from + sessionsAtOnce - 1), now: Date.now() };
          database.transaction(() => {
            for (const sql of statements) insert(database, sql, part);
          })();
        }
        database.pragma('wal_checkpoint(TRUNCATE)');
      }),
    endAt: (at) =>
      withDatabase((database) => {
        const { changes } = database
          .prepare(
            `UPDATE session_states SET expires_at = :at WHERE session_id > ${base} AND (session_id - ${base}) % ${endingEvery} = 0`,
          )
          .run({ at });
        return changes;
      }),
    countUnended: (at) =>
      count('SELECT count(*) FROM session_states WHERE ended_at IS NULL AND expires_at <= :at', { at }),
    countUnreclaimed: async () =>
      (await count('SELECT count(*) FROM session_states WHERE ended_at IS NOT NULL AND is_reclaimed = 0')) *
      messagesEach,
  };
}

/** Numbers are bound as floating point. */
function insert(database: Database.Database, sql: string, part: Readonly<Record<string, number>>): void {
  const numbers =
    'WITH RECURSIVE n (i) AS (SELECT CAST(:from AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < :to)';
  const given = sql.includes(':now') ? part : { from: part['from'], to: part['to'] };
  database.prepare(`${numbers} ${sql}`).run(given);
}
