import { expect, it } from 'vitest';

import { readMigrations as readPostgres } from './postgres/database/migrate.ts';
import { readMigrations as readSqlite } from './sqlite/migrate.ts';

// Two branches can each take the next number without a conflict that git would see.
it.each([
  ['SQLite', readSqlite],
  ['PostgreSQL', readPostgres],
])('numbers the migrations of %s from 100 without a gap, each once', (_, read) => {
  const versions = read().map(({ version }) => version);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions).toEqual(versions.map((_version, at) => 100 + at));
});
