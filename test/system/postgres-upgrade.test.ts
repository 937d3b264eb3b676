// Nodes of two minor releases on one database, as during a rolling upgrade: the newer one migrates while the older one
// works. The newer is this program with one more migration.

import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { withConnection } from '#postgres/connections';
import { UnfitDatabaseError } from '../../src/store/postgres/database/check-database.ts';
import { type Migration, migrate, readMigrations } from '../../src/store/postgres/database/migrate.ts';
import { readFunctions } from '../../src/store/postgres/database/put-functions.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();
const known = readMigrations();
const newest = known.at(-1)?.version ?? 0;

/** Migrates as a node of the next minor release does at its start. */
function upgrade(url: string, next: Omit<Migration, 'version'>): Promise<number> {
  return withConnection(url, (client) =>
    migrate(client, { migrations: [...known, { version: newest + 1, ...next }] }),
  );
}

async function lend({ mail }: PostgresStore, name: string): Promise<Uint8Array> {
  const tokenHash = randomBytes(32);
  const made = await mail.createSession({
    key: tokenHash.subarray(0, 16) as never,
    tokenHash,
    publicKey: randomBytes(32),
    salt: randomBytes(16),
    address: `${name}@mayfly.test`,
    addressKey: `${name}@mayfly.test`,
    lifetimeMs: 60_000,
    totalLifetimeMs: 3_600_000,
    quarantineMs: 0,
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

it.each([1, 21, 99])(
  'schema %i of a build before the first release is refused in one line',
  async (version) => {
    const url = await postgres.createUrl();
    await withConnection(url, async (client) => {
      await client.query(
        'CREATE SCHEMA mayfly; CREATE TABLE mayfly.migrations (version integer, needs integer)',
      );
      await client.query('INSERT INTO mayfly.migrations VALUES ($1, $1)', [version]);
    });
    const opening = postgres.openNode(url);
    await expect(opening).rejects.toThrow(UnfitDatabaseError);
    await expect(opening).rejects.toThrow(
      `The store has schema ${version}, of a build before the first release. No release reads it: begin with an empty store.`,
    );
  },
);

describe('functions', () => {
  const known = readFunctions('plain');
  const greet = (name: string) =>
    `CREATE OR REPLACE FUNCTION mayfly.greet() RETURNS text LANGUAGE sql AS $$ SELECT '${name}' $$`;
  const put = (url: string, functions: readonly string[], migrations = readMigrations()): Promise<number> =>
    withConnection(url, (client) => migrate(client, { migrations, functions: () => functions }));
  const ask = (url: string): Promise<string | undefined> =>
    withConnection(url, async (client) => {
      const { rows } = await client.query<{ greet: string }>('SELECT mayfly.greet()');
      return rows[0]?.greet;
    });
  const placedAt = (url: string): Promise<string | undefined> =>
    withConnection(url, async (client) => {
      const { rows } = await client.query<{ xmin: string }>('SELECT xmin FROM mayfly.functions');
      return rows[0]?.xmin;
    });

  it('are put in place when one has changed, and only then', async () => {
    const url = await postgres.createUrl();
    await put(url, [...known, greet('first')]);
    const before = await placedAt(url);
    await put(url, [...known, greet('first')]);
    expect(await placedAt(url)).toBe(before);
    await put(url, [...known, greet('second')]);
    expect(await ask(url)).toBe('second');
    await expect(put(url, [greet('third'), 'SELECT 1 / 0'])).rejects.toThrow('division by zero');
    expect(await ask(url)).toBe('second');
  });

  it('stay as a newer release put them when a node of the release before starts', async () => {
    const url = await postgres.createUrl();
    const older = await postgres.openNode(url);
    await put(url, [...known, greet('newer')], [...readMigrations(), { version: newest + 1, ...additive }]);
    const before = await placedAt(url);
    const restarted = await postgres.openNode(url);
    expect(await placedAt(url)).toBe(before);
    for (const [at, node] of [older, restarted].entries()) await lend(node, `after-${at}`);
  });

  it('are replaced without waiting for a transaction that uses them, nor it for them', async () => {
    const url = await postgres.createUrl();
    const node = await postgres.openNode(url);
    await lend(node, 'before');
    await withConnection(url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT mayfly.end_due(NULL, 1, 0)');
      await client.query('LOCK TABLE mayfly.sessions, mayfly.outbox IN ROW EXCLUSIVE MODE');
      await put(url, [...known, greet('meanwhile')]);
      await client.query('SELECT mayfly.end_due(NULL, 1, 0)');
      await client.query('COMMIT');
    });
    await lend(node, 'after');
  });

  it('compile no plan just in time', async () => {
    const url = await postgres.createUrl();
    await put(url, known);
    const { rows } = await withConnection(url, (client) =>
      client.query<{ name: string }>(
        `SELECT proname AS name FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
         WHERE pronamespace = 'mayfly'::regnamespace AND lanname = 'plpgsql'
           AND NOT coalesce(proconfig, '{}') @> '{jit=off}'`,
      ),
    );
    expect(rows).toEqual([]);
  });
});
