import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '#group-commit/open-database';
import { openSqliteForTest } from '../../../test/contract/open-sqlite-for-test.ts';
import {
  createLive,
  deliverOne,
  deliveryOf,
  listIds,
  openForTest,
  readAll,
} from '../../../test/contract/store-fixture.ts';
import { ChunkRows } from './rows/chunk-rows.ts';
import { migrate } from './migrate.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { storeDefaults } from '../../../test/support/service/store-defaults.ts';

const chunk = Buffer.alloc(256 * 1024, 7);
const chunks = Array.from({ length: 100 }, () => chunk);

it('lets others be stored between its steps, and is invisible before the last', async () => {
  const store = await openForTest(openSqliteForTest);
  const [session, other] = [await createLive(store), await createLive(store)];
  let isOver = false;
  const large = store.mail.deliver([deliveryOf(session, chunks)]).finally(() => (isOver = true));
  let between = 0;
  while (!isOver) {
    await deliverOne(store, other);
    const isSeen = (await listIds(store, session)).length > 0;
    if (isSeen) expect(await readAll(store, session, 1)).toHaveLength(chunks.length * chunk.length);
    else between += 1;
  }
  expect(await large).toMatchObject([{ outcome: 'stored', id: 1 }]);
  expect(between).toBeGreaterThan(10);
  expect(await listIds(store, session)).toEqual([1]);
});

it.each([1, 3, 9, 100])('keeps each of %d chunks that are sealed into slabs used again', async (count) => {
  const store = await openForTest(openSqliteForTest);
  const sessions = [await createLive(store), await createLive(store)];
  const wanted = Array.from({ length: count }, (_, at) => Buffer.alloc(256 * 1024, at + 1));
  const slabs = new Set<Buffer>();
  function* into(nextSlab: () => Buffer): Generator<Uint8Array> {
    for (const one of wanted) {
      const slab = nextSlab();
      slabs.add(slab);
      slab.set(one);
      yield slab.subarray(0, one.length);
    }
  }
  const raw = { [Symbol.iterator]: () => wanted.values(), into };
  await Promise.all(sessions.map((one) => store.mail.deliver([{ ...deliveryOf(one, wanted), raw }])));
  for (const one of sessions) {
    expect((await readAll(store, one, 1)).equals(Buffer.concat(wanted))).toBe(true);
  }
  expect(slabs.size).toBeLessThanOrEqual(2 * 6);
});

it('leaves garbage at most when the process ends between two steps, which the next one clears away', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-staged-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'mayfly.db');
  const database = openDatabase(file);
  migrate(database);
  const rows = new ChunkRows(database);
  const ids = [rows.begin(1), rows.begin(1), rows.begin(2)];
  for (const id of ids) rows.add(id, 1, chunk);
  rows.publish(ids[1] ?? 0, 4_194_305);
  database.close();

  const { mail } = openSqliteStore({
    ...storeDefaults,
    file,
    quota: { messages: Infinity, bytes: Infinity },
    onBroken: (error) => {
      throw error;
    },
  });
  while (await mail.reclaim(5));
  await mail.close();
  const after = new Database(file, { readonly: true });
  onTestFinished(() => void after.close());
  const list = (sql: string): unknown[] => after.prepare(sql).pluck().all();
  expect(list('SELECT message_id FROM chunks')).toEqual([ids[1]]);
  expect(list('SELECT chunks_id FROM staged')).toEqual([ids[1]]);
  expect(list('SELECT message_id FROM garbage')).toEqual([]);
});
