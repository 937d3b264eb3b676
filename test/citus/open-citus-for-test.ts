// Opens stores on a Citus cluster for the contract: one database per test file, emptied before each test.

import { afterAll } from 'vitest';

import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import {
  dayMs,
  type OpenedStore,
  type OpenStore,
  type RowCount,
  type StoreOptions,
  withPorts,
  withSecrets,
} from '../contract/store-fixture.ts';
import { listenToNews } from '../contract/listen-to-news.ts';
import { type CitusDatabase, createCitusDatabase } from '../support/postgres/citus-cluster.ts';
import { keepNoLog, readMachineFiles } from '../support/postgres/machine-files.ts';
import { postgresDefaults } from '../support/service/store-defaults.ts';

const unlimited = { messages: Infinity, bytes: Infinity };
const mailbox = { messagesMax: 100, bytesMax: 1_000_000 };
const beginsAt = Date.UTC(2026, 0, 1);
const kept = ['migrations', 'functions', 'distribution', 'buckets'];

async function empty(database: CitusDatabase): Promise<void> {
  const tables = await database.execute<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'mayfly'::regnamespace
       AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ('{${kept.join()}}')`,
  );
  await database.execute(
    // TRUNCATE would create and sync hundreds of files.
    ...tables.map(({ name }) => `DELETE FROM mayfly.${name}`),
    `SELECT setval(seqrelid, seqstart, false) FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
     WHERE c.relnamespace = 'mayfly'::regnamespace`,
    `INSERT INTO mayfly.webhook_endpoints (id, session_key, state, changed_at) VALUES (1, '', 'closed', 0)`,
    'INSERT INTO mayfly.operator_queue (slot) SELECT generate_series(0, 31)',
    'INSERT INTO mayfly.operator_mailbox DEFAULT VALUES',
  );
}

async function countRows(database: CitusDatabase): Promise<RowCount> {
  const counts: Record<string, number> = {};
  const groups = {
    content: ['messages', 'chunks', 'notes', 'events', 'attempts', 'origins', 'garbage'],
    sessions: ['sessions', 'addresses'],
    keys: [withSecrets],
  };
  for (const [name, tables] of Object.entries(groups)) {
    counts[name] = 0;
    for (const table of tables) {
      const [row] = await database.execute<{ count: number }>(
        `SELECT count(*)::int AS count FROM mayfly.${table}`,
      );
      counts[name] += row?.count ?? 0;
    }
  }
  return counts as unknown as RowCount;
}

/**
 * Sums all machines, after the space of deleted rows is returned as autovacuum does. Indexes and free space maps keep
 * pages of earlier tests.
 */
async function measureBytes(database: CitusDatabase): Promise<number> {
  let bytes = 0;
  for (const machine of database.machines) {
    const [row] = await database.executeAt<{ bytes: number }>(
      machine,
      'VACUUM',
      'SET citus.override_table_visibility = off',
      `SELECT sum(pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 AS bytes
       FROM pg_class c
       WHERE c.relnamespace = 'mayfly'::regnamespace AND c.relkind = 'r'`,
    );
    bytes += row?.bytes ?? 0;
  }
  return bytes;
}

interface Started {
  readonly database: CitusDatabase;
  readonly emptyBytes: number;
}

/** Call it once per test file; it returns a function that opens stores, one at a time. */
export function useCitus(purpose: string): OpenStore {
  let starting: Promise<Started> | undefined;
  afterAll(async () => {
    await (await starting)?.database.drop();
  });
  const start = async (): Promise<Started> => {
    const database = await createCitusDatabase(purpose);
    await keepNoLog(database);
    // For the day most tests use, so that its empty files count for no test.
    await database.execute(`SELECT mayfly.make_bucket(mayfly.bucket_of(${beginsAt + dayMs}))`);
    return { database, emptyBytes: await measureBytes(database) };
  };
  return async (options) => {
    const started = await (starting ??= start());
    await empty(started.database);
    return open(started, options);
  };
}

async function open({ database, emptyBytes }: Started, options: StoreOptions): Promise<OpenedStore> {
  let at = beginsAt;
  const reopen = async ({ outbox }: Pick<StoreOptions, 'outbox'>) =>
    listenToNews(
      await openPostgresStore({
        ...postgresDefaults,
        url: database.url,
        quota: options.quota ?? unlimited,
        operatorMailbox: mailbox,
        totalLifetimeMs: dayMs,
        clock: () => at,
        ...(options.onNews ? { onNews: options.onNews } : {}),
        ...(options.onEnded ? { onEnded: options.onEnded } : {}),
        ...(outbox ? { outbox } : {}),
      }),
    );
  let { store, close } = await reopen(options);
  return withPorts(() => store, {
    clock: { now: () => at, advance: (ms) => void (at += ms) },
    reopen: async (other = options) => {
      await close();
      ({ store, close } = await reopen(other));
    },
    dataFiles: async () =>
      (await Promise.all(database.machines.map((machine) => readMachineFiles(database, machine)))).flat(),
    sizeBytes: async () => (await measureBytes(database)) - emptyBytes,
    countRows: () => countRows(database),
    dispose: () => close(),
  });
}
