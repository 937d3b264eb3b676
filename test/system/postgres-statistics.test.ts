// PostgreSQL's statistics copy values of columns, and keep them after the rows are gone.

import { expect, it } from 'vitest';

import { fillEverything, findNames, readStatistics } from '../support/postgres/column-statistics.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();
const outbox = { operator: true, sessions: true, rowsPerEndpoint: 100 };

it('names no address, key or sealed byte', async () => {
  const url = await postgres.createUrl();
  const given = await fillEverything(await postgres.openNode(url, { outbox }));
  const statistics = await readStatistics(url);
  // It has looked at the tables.
  const names = statistics.columns.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['sessions.expires_at', 'addresses.free_at', 'outbox.kind']));
  expect(names.some((name) => /^messages_\d+\.received_at$/.test(name))).toBe(true);
  expect(statistics.columns.filter(({ type }) => type === 'bytea')).toEqual([]);
  expect(findNames(statistics, given)).toEqual([]);
});
