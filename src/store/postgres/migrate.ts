// Brings the schema to the newest version: numbered .sql files, all that are missing in one transaction, under a lock
// that makes nodes which start at once wait for each other. A schema newer than ours is refused.

import { readdirSync, readFileSync } from 'node:fs';

import type pg from 'pg';

const migrationsFolder = new URL('./migrations/', import.meta.url);
/** Any two numbers, the same in every version. */
const lockNumbers = '1296123462, 1';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** A schema that this program must not touch. `message` is for the operator. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Migrations in order of their number. */
export function readMigrations(folder: URL = migrationsFolder): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), sql: readFileSync(new URL(name, folder), 'utf8') }));
}

/** Returns how many were applied. @throws NewerSchemaError */
export async function migrate(
  client: pg.Client,
  migrations: readonly Migration[] = readMigrations(),
): Promise<number> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${lockNumbers})`);
    const applied = await applyMissing(client, migrations);
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    // The connection may be what failed.
    await Promise.allSettled([client.query('ROLLBACK')]);
    throw error;
  }
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<number> {
  const current = await readVersion(client);
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new NewerSchemaError(
      `The store has schema ${current}, this Mayfly knows ${newest}: it was written by a newer version.`,
    );
  }
  const missing = migrations.filter(({ version }) => version > current);
  if (current === 0) {
    await client.query('CREATE SCHEMA IF NOT EXISTS mayfly');
    await client.query(
      'CREATE TABLE mayfly.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
  }
  for (const { version, sql } of missing) {
    await client.query(sql);
    await client.query('INSERT INTO mayfly.migrations (version) VALUES ($1)', [version]);
  }
  return missing.length;
}

/** 0 where there is no schema of ours. */
export async function readVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('mayfly.migrations') IS NOT NULL AS is_there",
  );
  if (!rows[0]?.is_there) return 0;
  const versions = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM mayfly.migrations',
  );
  return versions.rows[0]?.version ?? 0;
}
