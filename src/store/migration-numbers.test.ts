import { expect, it } from 'vitest';

import { readMigrations as readPostgres } from './postgres/database/migrate.ts';
import { readMigrations as readSqlite } from './sqlite/migrate.ts';

// Two branches can each take the next number without a conflict that git would see.
it.each([
  ['SQLite', readSqlite, 100],
  ['PostgreSQL', readPostgres, 1],
])('numbers the migrations of %s without a gap, each once', (_, read, first) => {
  const versions = read().map(({ version }) => version);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions).toEqual(versions.map((_version, at) => first + at));
});
