// Nodes of two minor releases on one database, as during a rolling upgrade: the newer one migrates while the older one
// works. The newer is this program with one more migration.

import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { withConnection } from '../../src/store/postgres/database/connections.ts';
import { type Migration, migrate, readMigrations } from '../../src/store/postgres/database/migrate.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();
const known = readMigrations();
const newest = known.at(-1)?.version ?? 0;

/** Migrates as a node of the next minor release does at its start. */
function upgrade(url: string, next: Omit<Migration, 'version'>): Promise<number> {
  return withConnection(url, (client) => migrate(client, [...known, { version: newest + 1, ...next }]));
}

async function lend({ mail }: PostgresStore, name: string): Promise<Uint8Array> {
  const tokenHash = randomBytes(32);
  const made = await mail.createSession({
    ...{ key: tokenHash.subarray(0, 16) as never, tokenHash, dataKey: randomBytes(32) },
    ...{ address: `${name}@mayfly.test`, addressKey: `${name}@mayfly.test` },
    ...{ lifetimeMs: 60_000, totalLifetimeMs: 3_600_000, quarantineMs: 0 },
  });
  expect(made).toMatchObject({ address: `${name}@mayfly.test` });
  return tokenHash;
}

const additive = {
  sql: `ALTER TABLE mayfly.sessions ADD COLUMN colour text;
        CREATE TABLE mayfly.colours (name text PRIMARY KEY);`,
  needs: newest,
};

it('a node continues while one of the next release migrates, and nodes of its own release start beside it', async () => {
  const url = await postgres.createUrl();
  const older = await postgres.openNode(url);
  const early = await lend(older, 'early');
  expect(await upgrade(url, additive)).toBe(1);
  const late = await lend(older, 'late');
  const restarted = await postgres.openNode(url);
  for (const tokenHash of [early, late]) {
    expect((await restarted.mail.findSession(tokenHash)).state).toBe('live');
  }
  await lend(restarted, 'third');
  expect(await upgrade(url, additive)).toBe(0);
});

it('a node refuses to start on a schema that its release cannot use', async () => {
  const url = await postgres.createUrl();
  await postgres.openNode(url);
  await upgrade(url, { sql: 'ALTER TABLE mayfly.sessions DROP COLUMN seq', needs: newest + 1 });
  await expect(postgres.openNode(url)).rejects.toThrow(
    `The store has schema ${newest + 1}, this Mayfly knows ${newest}`,
  );
});

it('sessions from before keys had generations keep theirs, while a node of the previous release runs', async () => {
  const url = await postgres.createUrl();
  const before = known.filter(({ version }) => version <= 10);
  expect(before.length).toBeLessThan(known.length);
  const tokenHash = randomBytes(32);
  const dataKey = randomBytes(32);
  const create = (token: Uint8Array, name: string): Promise<unknown> =>
    withConnection(url, (client) =>
      client.query('SELECT mayfly.create_session(NULL, $1, $2, $3, $3, $4, 600000, 3600000, 0, NULL, 0)', [
        ...[token.subarray(0, 16), token, Buffer.from(`${name}@mayfly.test`), dataKey],
      ]),
    );
  await withConnection(url, async (client) => {
    await migrate(client, before);
    await client.query('SELECT mayfly.make_bucket(mayfly.bucket_of(mayfly.now_ms(NULL) + 3600000))');
  });
  await create(tokenHash, 'early');
  const node = await postgres.openNode(url);
  const lateHash = randomBytes(32);
  await create(lateHash, 'late');
  // The previous release does this every five minutes.
  await withConnection(url, (client) => client.query('VACUUM (FULL) mayfly.data_keys'));
  expect(await node.mail.scrub()).toBe(true);
  for (const token of [tokenHash, lateHash]) {
    expect(await node.mail.findSession(token)).toMatchObject({ state: 'live', session: { dataKey } });
  }
});
