// Brings a database to the newest schema: numbered .sql files, each in its own transaction with its number in
// `user_version`, so that a crash leaves either the old schema or the new one. Refuses a file newer than the program, and
// one older than the first release.

import { readFileSync, readdirSync } from 'node:fs';

import type { Database } from '#group-commit/driver';

import { isUnreleased, newestOf, unreleasedAdvice } from '../schema-version.ts';

const migrationsFolder = new URL('./migrations/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Returns migrations in order of number. */
export function readMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      sql: readFileSync(new URL(name, migrationsFolder), 'utf8'),
    }));
}

/** @throws Error when the file was written by a newer Mayfly, or by a build before the first release */
export function migrate(
  database: Database.Database,
  migrations: readonly Migration[] = readMigrations(),
): void {
  const current = database.pragma('user_version', { simple: true }) as number;
  const newest = newestOf(migrations);
  if (isUnreleased(current, migrations)) {
    throw new Error(`The store has schema ${current}, ${unreleasedAdvice}`);
  }
  if (current > newest) {
    throw new Error(
      `The store has schema ${current}, this Mayfly knows ${newest}: it was written by a newer version.`,
    );
  }
  for (const migration of migrations) {
    if (migration.version <= current) continue;
    database.transaction(() => {
      database.exec(migration.sql);
      database.pragma(`user_version = ${migration.version}`);
    })();
  }
}
