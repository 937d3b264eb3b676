// The cost of a webhook look-up, made for each message, must not grow with the queue of an endpoint that currently
// accepts nothing.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { operatorEndpointId } from '../../src/store/jobs-store.ts';
import { leaseDue, listDueEndpoints } from '../../src/store/postgres/jobs-statements.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { storeDefaults } from '../support/service/store-defaults.ts';
import { postgresDefaults } from '../support/service/store-defaults.ts';

const [few, many] = [10, 10_000];
const outbox = { operator: true, sessions: true, rowsPerEndpoint: 20_000 };
/** One session whose endpoint pauses, and one with its maximum in progress. */
const [resting, crowded] = [2, 3];

async function openSqlite(queued: number): Promise<SqliteStore> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-lookups-'));
  const file = join(folder, 'mayfly.db');
  const open = (): SqliteStore =>
    openSqliteStore({
      ...storeDefaults,
      file,
      outbox,
      quota: { messages: Infinity, bytes: Infinity },
      onBroken: (error) => {
        throw error;
      },
    });
  await open().mail.close();
  const database = new Database(file);
  const fill = database.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO outbox (endpoint_id, session_id, session_key, seq, kind, at, queued_at, next_at)
     SELECT ?, 1, x'00', n, 'message.received', 1, 1, 1 FROM numbers`,
  );
  const add = database.prepare(
    `INSERT INTO webhook_endpoints (id, session_id, state, changed_at, rests_until) VALUES (?, ?, 'active', 1, ?)`,
  );
  database.transaction(() => {
    add.run(resting, 1, 2 ** 50);
    add.run(crowded, 2, 0);
    fill.run(queued, resting);
    fill.run(queued, crowded);
  })();
  database.close();
  const store = open();
  onTestFinished(async () => {
    await store.mail.close();
    await rm(folder, { recursive: true });
  });
  return store;
}

/** Returns the processor time of look-ups, ms; the least of several rounds. */
async function costOf({ jobs }: SqliteStore): Promise<number> {
  const except = { standings: [], endpoints: [crowded], hostTags: [], makerTags: [] };
  const shares = [{ endpointId: operatorEndpointId, rows: 8 }];
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (let count = 0; count < 200; count++) {
      expect(await jobs.leaseDue({ leaseMs: 1000, shares })).toEqual([]);
      expect(await jobs.listDueEndpoints({ limit: 32, except })).toEqual([]);
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

it('costs the same on SQLite whether ten or ten thousand wait', async () => {
  const cheap = await costOf(await openSqlite(few));
  const costly = await costOf(await openSqlite(many));
  // In proportion it would be a thousand.
  expect(costly / cheap).toBeLessThan(10);
});

it('reads as much on PostgreSQL whether ten or ten thousand wait', async () => {
  const server = await startPostgresServer();
  onTestFinished(() => server.dispose());
  const pages = new Map<number, number[]>();
  for (const queued of [few, many]) {
    const name = `lookups_${queued}`;
    await server.execute(`CREATE DATABASE ${name} TEMPLATE template0`);
    const store = await openPostgresStore({
      ...postgresDefaults,
      url: server.url(name),
      outbox,
      quota: { messages: 100, bytes: 1000 },
      operatorMailbox: { messagesMax: 1, bytesMax: 1 },
      totalLifetimeMs: 86_400_000,
    });
    await store.mail.close();
    pages.set(queued, await pagesRead(server, name, queued));
  }
  const [cheap = [], costly = []] = [pages.get(few), pages.get(many)];
  expect(costly).toHaveLength(3);
  for (const [at, count] of costly.entries()) expect(count).toBeLessThan((cheap[at] ?? 0) * 2 + 50);
}, 300_000);

/** Returns the pages read by a look-up, a lease, and queueing one more event. */
async function pagesRead(
  server: Awaited<ReturnType<typeof startPostgresServer>>,
  database: string,
  queued: number,
): Promise<number[]> {
  const key = `decode(repeat('ab', 16), 'hex')`;
  const explain = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)';
  const event = `ARRAY[${key}], ARRAY[1], ARRAY[1], ARRAY[1::bigint], 20000`;
  const none = `ARRAY[]::bytea[]`;
  const results = await server.executeIn(
    database,
    `INSERT INTO mayfly.webhook_endpoints (id, changed_at, state, session_key, rests_until)
     VALUES (${resting}, 1, 'active', ${key}, ${2 ** 50}), (${crowded}, 1, 'active', '\\x01', 0)`,
    ...[operatorEndpointId, resting, crowded].map(
      (id) => `INSERT INTO mayfly.outbox (endpoint_id, session_key, seq, kind, at, queued_at, next_at)
        SELECT ${id}, ${key}, n, 'message.received', 1, 1, ${id === operatorEndpointId ? 2 ** 50 : 1}
        FROM generate_series(1, ${queued}) AS n`,
    ),
    'VACUUM ANALYZE',
    `PREPARE look AS ${listDueEndpoints.text}`,
    `PREPARE lease AS ${leaseDue.text}`,
    `${explain} EXECUTE look (NULL, 32, '', ARRAY[${crowded}], ${none}, ${none})`,
    `${explain} EXECUTE lease (NULL, 1000, ARRAY[${operatorEndpointId}], ARRAY[8])`,
    `${explain} SELECT mayfly.queue_events('message.received', ${event})`,
  );
  return results.slice(-3).map(({ rows }) => {
    const [{ Plan: plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: Record<string, number> }] })['QUERY PLAN'];
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  });
}
