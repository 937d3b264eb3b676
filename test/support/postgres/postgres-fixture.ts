// Stores on a PostgreSQL server of the test file's own, for tests of what only this store has: nodes, outages. Under
// `npm run test:citus` the databases are distributed ones on the cluster.

import { afterAll, onTestFinished } from 'vitest';

import {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from '../../../src/store/postgres/open-postgres-store.ts';
import { createCitusDatabase, isOnCitus } from './citus-cluster.ts';
import { type PostgresServer, type PostgresServerOptions, startPostgresServer } from './postgres-server.ts';
import { postgresDefaults } from '../service/store-defaults.ts';

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
      if (isOnCitus) {
        const distributed = await createCitusDatabase('fixture');
        onTestFinished(() => distributed.drop());
        return distributed.url;
      }
      const running = await server();
      const database = await running.createDatabase();
      onTestFinished(() => running.dropDatabase(database));
      return running.url(database);
    },
    openNode: async (url, nodeOptions = {}) => {
      const store = await openPostgresStore({
        ...postgresDefaults,
        url,
        quota: { messages: Infinity, bytes: Infinity },
        operatorMailbox: { messagesMax: 100, bytesMax: 1_000_000 },
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
