// Migrates the schema to the newest version: numbered .sql files, all missing ones and then the functions in one
// transaction, under a lock that nodes starting at the same time wait for. A newer schema is refused unless it allows
// older programs: nodes of two minor releases run side by side during an upgrade.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { codeOf } from '#system-errors/error-code';
import { isUnreleased, newestOf, unreleasedAdvice } from '../../schema-version.ts';
import { transactUnderLock } from './advisory-lock.ts';
import { UnfitDatabaseError } from './check-database.ts';
import { putFunctions } from './put-functions.ts';

const migrationsFolder = new URL('../migrations/', import.meta.url);

export interface Migration {
  readonly version: number;
  readonly sql: string;
  /**
   * The newest migration a program must know to use the schema after this one: lower than `version` if it adds only
   * things that older programs can ignore. From its line `-- needs: N`, else its own version.
   */
  readonly needs: number;
}

/** A schema this program must not use. `message` is for the operator. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Returns the migrations in order of their number. */
export function readMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) =>
      toMigration(Number(name.slice(0, 4)), readFileSync(new URL(name, migrationsFolder), 'utf8')),
    );
}

function toMigration(version: number, sql: string): Migration {
  const [, needs = String(version)] = /^-- needs: (\d+)$/m.exec(sql) ?? [];
  return { version, sql, needs: Number(needs) };
}

/**
 * Statements of running nodes wait behind a lock that a migration waits for, so it tries only briefly, again and again.
 */
const lockMs = 1500;
const lockTries = 12;
const lockRestMs = 5000;
const lockNotAvailable = '55P03';

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** Returns the texts of the functions that belong to the migrated schema; without it, none are put in place. */
  readonly functions?: (client: pg.Client) => Promise<readonly string[]> | readonly string[];
  /** The pause between two attempts to lock a table. */
  readonly restMs?: number;
}

/**
 * Returns how many migrations were applied.
 * @throws NewerSchemaError, UnfitDatabaseError for one older than the first release, or Error when a table stays locked
 */
export async function migrate(client: pg.Client, options: MigrateOptions = {}): Promise<number> {
  for (let tried = 1; ; tried++) {
    try {
      return await transactUnderLock(client, 'migrate', () => applyMissing(client, options));
    } catch (error) {
      if (codeOf(error) !== lockNotAvailable) throw error;
      if (tried === lockTries) {
        throw new Error('A table stays locked and cannot be migrated: see pg_locks.', { cause: error });
      }
      await delay(options.restMs ?? lockRestMs);
    }
  }
}

async function applyMissing(
  client: pg.Client,
  { migrations = readMigrations(), functions }: MigrateOptions,
): Promise<number> {
  const current = await readVersion(client);
  await refuseSchema(client, current, migrations);
  if (current === 0) {
    await client.query('CREATE SCHEMA IF NOT EXISTS mayfly');
    await client.query(
      `CREATE TABLE mayfly.migrations (
         version integer PRIMARY KEY, needs integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
  }
  await client.query(`SET LOCAL lock_timeout = ${lockMs}`);
  // It may rewrite a large table, which must not start over.
  await client.query('SET LOCAL statement_timeout = 0');
  // Citus otherwise changes shards over several connections, and then no function; without Citus this says nothing.
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  const missing = migrations.filter(({ version }) => version > current);
  for (const { version, sql, needs } of missing) {
    await client.query(sql);
    await client.query('INSERT INTO mayfly.migrations (version, needs) VALUES ($1, $2)', [version, needs]);
  }
  if (functions) await putFunctions(client, await functions(client), newestOf(migrations));
  return missing.length;
}

async function refuseSchema(
  client: pg.Client,
  current: number,
  migrations: readonly Migration[],
): Promise<void> {
  const newest = newestOf(migrations);
  if (isUnreleased(current, migrations)) {
    throw new UnfitDatabaseError(`The store has schema ${current}, ${unreleasedAdvice}`);
  }
  if (current > newest && (await readNeeds(client)) > newest) {
    throw new NewerSchemaError(
      `The store has schema ${current}, this Mayfly knows ${newest}: it was written by a newer version.`,
    );
  }
}

/** Returns 0 if there is no schema of ours. */
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

/** Returns the newest migration a program must know. */
async function readNeeds(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ needs: number }>(
    "SELECT coalesce(max(coalesce((to_jsonb(m) ->> 'needs')::integer, version)), 0) AS needs FROM mayfly.migrations m",
  );
  return rows[0]?.needs ?? 0;
}
