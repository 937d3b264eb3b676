import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';

import { type Statement, step } from '../sql/sql.ts';
import { SqliteSql } from './sqlite-sql.ts';

const add: Statement = {
  name: 'add',
  text: 'INSERT INTO mayfly.rows (value, is_good, at) VALUES (:value, :isGood, :now) RETURNING value',
};
const count: Statement = { name: 'count', text: 'SELECT count(*) AS count FROM mayfly.rows' };

function setUp() {
  const database = new Database(':memory:');
  onTestFinished(() => {
    database.close();
  });
  database.exec(
    'CREATE TABLE rows (value TEXT NOT NULL, is_good INTEGER NOT NULL, at INTEGER NOT NULL) STRICT',
  );
  let resolve = (): void => undefined;
  const synced = new Promise<void>((done) => (resolve = done));
  const prepare = vi.spyOn(database, 'prepare');
  let now = 100;
  const sql = new SqliteSql({
    database,
    clock: () => now++,
    write: async (work) => {
      const answer = database.transaction(work)();
      await synced;
      return answer;
    },
  });
  return { database, sql, sync: resolve, prepare };
}

it('answers a write once it is on disk', async () => {
  const { sql, sync } = setUp();
  let answer: object[] | undefined;
  const written = sql.run(add, { value: 'one', isGood: true }).then((rows) => (answer = rows));
  expect(await sql.get(count)).toEqual({ count: 1 });
  expect(answer).toBeUndefined();
  sync();
  expect(await written).toEqual([{ value: 'one' }]);
});

it('runs the steps of a transaction at one instant, each with the answer of the one before', async () => {
  const { database, sql, sync } = setUp();
  sync();
  const seen = await sql.transaction(function* () {
    const [first] = yield* step<{ value: string }>(add, { value: 'a', isGood: false });
    yield* step(add, { value: `${first?.value}b`, isGood: true });
    return yield* step(count);
  });
  expect(seen).toEqual([{ count: 2 }]);
  const rows = database.prepare('SELECT value, is_good, at FROM rows ORDER BY value').raw().all();
  expect(rows).toEqual([
    ['a', 0, 100],
    ['ab', 1, 100],
  ]);
});

it('undoes every step of a transaction of which one fails', async () => {
  const { sql, sync } = setUp();
  sync();
  const failing = sql.transaction(function* () {
    yield* step(add, { value: 'a', isGood: true });
    yield* step(add, { value: null, isGood: true });
  });
  await expect(failing).rejects.toThrow('NOT NULL');
  expect(await sql.get(count)).toEqual({ count: 0 });
});

it('prepares a statement once, and rejects one without its values', async () => {
  const { sql, sync, prepare } = setUp();
  sync();
  for (const value of ['a', 'b', 'c']) await sql.run(add, { value, isGood: true });
  expect(prepare).toHaveBeenCalledTimes(1);
  await expect(sql.run(add, { value: 'd' })).rejects.toThrow('isGood');
  expect(await sql.get(count)).toEqual({ count: 3 });
});
