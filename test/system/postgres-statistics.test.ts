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

it('counts a moment in one hour, whatever the server’s clock says between two readings', async () => {
  const { statistics, refusals } = await postgres.openNode(await postgres.createUrl());
  const names = Array.from({ length: 400 }, (_, at) => `from d${at}.test`);
  await statistics.addCounts(names.map((name) => ({ name, count: 1 })));
  await refusals.addRefusals(
    names.map((network) => ({
      network,
      stage: 'mail',
      cause: 'bad_sender',
      count: 1,
      lastAt: 1,
      host: null,
      helo: '',
      sender: null,
    })),
  );
  const kept = [...(await statistics.listCounts('hour', 0)), ...(await refusals.listRefusals(0))];
  expect(kept).toHaveLength(800);
  expect(kept.filter(({ at }) => at % 3_600_000 !== 0)).toEqual([]);
});
