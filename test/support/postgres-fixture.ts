// Stores on the test file's own PostgreSQL server, for tests specific to this store: nodes, outages.

import { afterAll, onTestFinished } from 'vitest';

import {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from '../../src/store/postgres/open-postgres-store.ts';
import { type PostgresServer, type PostgresServerOptions, startPostgresServer } from './postgres-server.ts';

const dayMs = 86_400_000;

export interface PostgresFixture {
  server(): Promise<PostgresServer>;
  /** Creates a database that is dropped with the test. */
  createUrl(): Promise<string>;
  /** Opens another node, closed with the test. */
  openNode(url: string, options?: Partial<PostgresStoreOptions>): Promise<PostgresStore>;
}

/** Call it once per test file. */
export function usePostgresFixture(options: PostgresServerOptions = {}): PostgresFixture {
  let starting: Promise<PostgresServer> | undefined;
  const server = (): Promise<PostgresServer> => (starting ??= startPostgresServer(options));
  afterAll(async () => {
    await (await starting)?.dispose();
  });
  return {
    server,
    createUrl: async () => {
      const running = await server();
      const database = await running.createDatabase();
      onTestFinished(() => running.dropDatabase(database));
      return running.url(database);
    },
    openNode: async (url, nodeOptions = {}) => {
      const store = await openPostgresStore({
        url,
        quota: { messages: Infinity, bytes: Infinity },
        operatorMailbox: { maxMessages: 100, maxBytes: 1_000_000 },
        totalLifetimeMs: 7 * dayMs,
        ...nodeOptions,
      });
      onTestFinished(() => store.mail.close());
      return store;
    },
  };
}

/** Returns the URL of the same database through another port, such as a proxy's. */
export function throughPort(url: string, port: number): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}
