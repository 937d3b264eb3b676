// The statistics of every machine of a cluster, whose shards are tables of their own.

import { expect, it, onTestFinished } from 'vitest';

import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createCitusDatabase } from '../support/postgres/citus-cluster.ts';
import { fillEverything, findNames, readStatistics } from '../support/postgres/column-statistics.ts';
import { postgresDefaults } from '../support/service/store-defaults.ts';

it('names no address, key or sealed byte on any machine', async () => {
  const database = await createCitusDatabase('statistics');
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({
    ...postgresDefaults,
    url: database.url,
    quota: { messages: Infinity, bytes: Infinity },
    operatorMailbox: { messagesMax: 100, bytesMax: 1_000_000 },
    totalLifetimeMs: 86_400_000,
    outbox: { operator: true, sessions: true, rowsPerEndpoint: 100 },
  });
  onTestFinished(() => store.close());
  const given = await fillEverything(store);
  const onShards: string[] = [];
  for (const machine of database.machines) {
    const statistics = await readStatistics(
      database.urlOf(machine),
      // Shards are hidden otherwise.
      'SET citus.override_table_visibility = off',
    );
    onShards.push(
      ...statistics.columns.map(({ name }) => name).filter((name) => /_\d+\.expires_at$/.test(name)),
    );
    expect(statistics.columns.filter(({ type }) => type === 'bytea')).toEqual([]);
    expect(findNames(statistics, given)).toEqual([]);
  }
  expect(onShards.length).toBeGreaterThan(0);
});
