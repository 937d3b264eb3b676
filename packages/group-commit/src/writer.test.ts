import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { type Write, Writer } from './writer.ts';
import { noObserver } from '../../../src/store/store-observer.ts';

type SyncCallback = (error: Error | null) => void;

function setUp() {
  const database = new Database(':memory:');
  onTestFinished(() => {
    database.close();
  });
  database.exec('CREATE TABLE rows (value TEXT NOT NULL) STRICT');
  const seen = { synced: 0, broken: [] as Error[], answers: [] as unknown[] };
  const syncs: SyncCallback[] = [];
  const progress = { current: 1, synced: 0 };
  const writer = new Writer({
    observer: noObserver,
    database,
    progress,
    faults: { isRefused: () => false, toCallersError: (error) => error },
    sync: (callback) => syncs.push(callback),
    onSynced: () => {
      seen.synced += 1;
    },
    onBroken: (error) => seen.broken.push(error),
    onRollback: () => undefined,
    afterCommit: () => undefined,
  });
  const insert = (value: string): Write => ({
    work: () => {
      if (value === 'poison') throw new Error('poisoned');
      database.prepare('INSERT INTO rows VALUES (?)').run(value);
      return value;
    },
    resolve: (answer) => seen.answers.push(answer),
    reject: (error) => seen.answers.push(error),
  });
  const values = (): unknown[] => database.prepare('SELECT value FROM rows').pluck().all();
  return { writer, progress, syncs, seen, insert, values };
}

it('commits a group at once and answers it when it is on disk', async () => {
  const { writer, progress, syncs, seen, insert, values } = setUp();
  writer.write(['a', 'b'].map(insert));
  expect(values()).toEqual(['a', 'b']);
  expect([seen.answers, progress, writer.isSyncing]).toEqual([[], { current: 2, synced: 0 }, true]);
  const synced = writer.synced(1);
  syncs[0]?.(null);
  await synced;
  expect([seen.answers, progress, writer.isSyncing]).toEqual([['a', 'b'], { current: 2, synced: 1 }, false]);
  expect(seen.synced).toBe(1);
});

it('tries each of a group alone when one throws, and covers all of them with one sync', () => {
  const { writer, progress, syncs, seen, insert, values } = setUp();
  writer.write(['a', 'poison', 'b'].map(insert));
  expect(values()).toEqual(['a', 'b']);
  expect(seen.answers).toEqual([new Error('poisoned')]);
  expect([syncs.length, progress.current]).toEqual([1, 3]);
  syncs[0]?.(null);
  expect(seen.answers).toEqual([new Error('poisoned'), 'a', 'b']);
});

it('syncs again for what was committed during a sync', () => {
  const { writer, syncs, seen, insert } = setUp();
  writer.write([insert('a')]);
  writer.write([insert('b')]);
  expect(syncs).toHaveLength(1);
  syncs[0]?.(null);
  expect([seen.answers, syncs.length]).toEqual([['a'], 2]);
  syncs[1]?.(null);
  expect(seen.answers).toEqual(['a', 'b']);
});

it('acknowledges nothing after a sync that failed, and does not touch the file again', async () => {
  const { writer, syncs, seen, insert, values } = setUp();
  const fault = new Error('EIO');
  writer.write([insert('a')]);
  const synced = writer.synced(1);
  syncs[0]?.(fault);
  await expect(synced).rejects.toBe(fault);
  writer.write([insert('b')]);
  expect(seen.answers).toEqual([fault, fault]);
  expect([seen.broken, writer.broken, values(), syncs.length]).toEqual([[fault], fault, ['a'], 1]);
});
