// Opens PostgreSQL stores for the contract: one database each, on one server per test file. While a test runs, the
// next database is created and the previous one dropped in the background.

import { afterAll } from 'vitest';

import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres/postgres-server.ts';
import { type Listening, listenToNews } from './listen-to-news.ts';
import {
  dayMs,
  type OpenedStore,
  type OpenStore,
  type RowCount,
  type StoreOptions,
  withPorts,
  withSecrets,
} from './store-fixture.ts';
import { postgresDefaults } from '../support/service/store-defaults.ts';

const template = 'mayfly_template';
const unlimited = { messages: Infinity, bytes: Infinity };
const mailbox = { messagesMax: 100, bytesMax: 1_000_000 };

/** The server, with an empty database in reserve. */
class Databases {
  readonly server: PostgresServer;
  #next: Promise<string>;
  #dropping: Promise<void> = Promise.resolve();

  constructor(server: PostgresServer) {
    this.server = server;
    this.#next = server.createDatabase(template);
  }

  async take(): Promise<string> {
    const taken = await this.#next;
    this.#next = this.server.createDatabase(template);
    return taken;
  }

  drop(name: string): void {
    this.#dropping = this.#dropping.then(() => this.server.dropDatabase(name));
  }

  /** Waits for background work, which creates and removes files of no test. @throws errors of dropping */
  async settle(): Promise<void> {
    await this.#next;
    await this.#dropping;
  }
}

async function startWithTemplate(): Promise<Databases> {
  const server = await startPostgresServer();
  await server.execute(`CREATE DATABASE ${template} TEMPLATE template0`);
  const store = await openPostgresStore({
    ...postgresDefaults,
    url: server.url(template),
    quota: unlimited,
    operatorMailbox: mailbox,
    totalLifetimeMs: dayMs,
  });
  await store.close();
  return new Databases(server);
}

async function countRows(server: PostgresServer, database: string): Promise<RowCount> {
  const count = (tables: readonly string[]): string =>
    tables.map((table) => `(SELECT count(*) FROM mayfly.${table})`).join(' + ');
  const [result] = await server.executeIn(
    database,
    `SELECT (${count(['messages', 'chunks', 'notes', 'events', 'attempts', 'origins', 'garbage'])})::int AS content,
       (${count(['sessions', 'addresses'])})::int AS sessions, (${count([withSecrets])})::int AS keys`,
  );
  return result?.rows[0] as RowCount;
}

/** Excludes the empty tables and indexes, after the space of deleted rows is returned as autovacuum does. */
async function measureBytes(server: PostgresServer, database: string): Promise<number> {
  const [, result] = await server.executeIn(
    database,
    'VACUUM',
    `SELECT sum(pg_total_relation_size(c.oid))::int AS bytes FROM pg_class c
     WHERE c.relnamespace = 'mayfly'::regnamespace AND c.relkind = 'r'`,
  );
  return (result?.rows[0] as { bytes: number }).bytes;
}

/** Call it once per test file; it returns a function that opens stores. */
export function usePostgres(): OpenStore {
  let starting: Promise<Databases> | undefined;
  afterAll(async () => {
    const databases = await starting;
    await databases?.settle();
    await databases?.server.dispose();
  });
  return async (options) => open(await (starting ??= startWithTemplate()), options);
}

async function open(databases: Databases, options: StoreOptions): Promise<OpenedStore> {
  const { server } = databases;
  const database = await databases.take();
  let at = Date.UTC(2026, 0, 1);
  const reopen = async ({ outbox }: Pick<StoreOptions, 'outbox'>): Promise<Listening> =>
    listenToNews(
      await openPostgresStore({
        ...postgresDefaults,
        url: server.url(database),
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
    dataFiles: async () => {
      await databases.settle();
      return server.readFiles(database);
    },
    sizeBytes: async () => (await measureBytes(server, database)) - (await measureBytes(server, template)),
    countRows: () => countRows(server, database),
    dispose: async () => {
      await close();
      databases.drop(database);
    },
  });
}
