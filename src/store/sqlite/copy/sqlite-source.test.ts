import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import {
  createLive,
  deliverOne,
  deliveryOf,
  type OpenedStore,
} from '../../../../test/contract/store-fixture.ts';
import {
  batchBytes,
  type TransferCursor,
  type TransferRow,
  TransferRefused,
} from '../../transfer/transfer-rows.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { openSqliteSource, type SqliteSource, type SqliteStep } from './sqlite-source.ts';
import { storeDefaults } from '../../../../test/support/service/store-defaults.ts';

const chunkBytes = 256 * 1024;

/** Fills a store, closes it, and opens it as a source. */
async function openFilled(fill: (store: OpenedStore) => Promise<void>): Promise<SqliteSource> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-source-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'mayfly.db');
  const store = openSqliteStore({
    ...storeDefaults,
    file,
    quota: { messages: Infinity, bytes: Infinity },
    onBroken: (error) => {
      throw error;
    },
  });
  await fill(store as unknown as OpenedStore);
  await store.mail.close();
  const source = openSqliteSource(file);
  onTestFinished(() => {
    source.close();
  });
  return source;
}

function readBatches(source: SqliteSource, step: SqliteStep): (readonly TransferRow[])[] {
  const batches: (readonly TransferRow[])[] = [];
  let after: TransferCursor | undefined;
  for (;;) {
    const { rows, cursor } = source.readBatch(step, after);
    if (cursor === undefined) return batches;
    batches.push(rows);
    after = cursor;
  }
}

it('reads everything of live sessions, and of ended ones only their rows', async () => {
  const source = await openFilled(async (store) => {
    await store.directory.addDomain('a.test', 0, 0);
    const [live, ended] = [await createLive(store), await createLive(store)];
    await deliverOne(store, live);
    await deliverOne(store, ended);
    await store.mail.endSession(ended.key);
  });
  const counts = (['domains', 'sessions', 'messages', 'addresses'] as const).map((step) => [
    step,
    readBatches(source, step).flat().length,
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    domains: 1,
    sessions: 2,
    messages: 1,
    addresses: 2,
  });
  expect(readBatches(source, 'messages').flat()).toMatchObject([
    { seq: 1, number: 0, raw: Buffer.from('raw') },
  ]);
});

it('ends a batch by its bytes, and goes on after its last row', async () => {
  const source = await openFilled(async (store) => {
    const session = await createLive(store);
    const raw = Array.from({ length: 40 }, (_, at) => Buffer.alloc(chunkBytes, at));
    await store.mail.deliver([deliveryOf(session, raw)]);
  });
  const batches = readBatches(source, 'chunks');
  const perBatch = batchBytes / chunkBytes;
  expect(batches.map((rows) => rows.length)).toEqual([perBatch, perBatch, 39 - 2 * perBatch]);
  expect(batches.flat().map(({ number }) => number)).toEqual(Array.from({ length: 39 }, (_, at) => at + 1));
});

it('refuses a file that is not there', () => {
  const missing = join(tmpdir(), 'mayfly-source-that-is-not-there.db');
  expect(() => openSqliteSource(missing)).toThrow(TransferRefused);
});
