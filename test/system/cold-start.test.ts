// How much a start reads with a full and with an empty store: work independent of the store's size takes no longer
// either. Counts bytes instead of time, so that a busy machine cannot fail it.

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { sqliteFilledStore } from '../../bench/fill-sqlite.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { startUnderFault } from '../support/faults/service-under-fault.ts';

const sessions = 20_000;
/**
 * Bytes, where the store has more than 100 MiB. With live sessions a reader thread is started, which may or may not have read its
 * program before the service is ready.
 */
const allowance = 8 * 1024 * 1024;

/**
 * Returns the bytes the process has requested from the kernel until ready: files, including the program's own, and
 * sockets.
 */
async function readUntilReady(dataDir: string): Promise<number> {
  const mayfly = await startUnderFault({}, dataDir);
  const bytes = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${mayfly.child.pid ?? 0}/io`, 'utf8'))?.[1];
  await mayfly.stop();
  return Number(bytes);
}

it('reads no more at the start of a store with 100,000 messages than of an empty one', async () => {
  const dataDir = await useDataFolder();
  await readUntilReady(dataDir);
  const empty = await readUntilReady(dataDir);
  const store = sqliteFilledStore(path.join(dataDir, 'mayfly.db'));
  await store.load(sessions);
  const full = await readUntilReady(dataDir);
  expect(full - empty).toBeLessThan(allowance);
  // Nor when a fifth of it has expired: ending those is work for after the start.
  expect(await store.endAt(Date.now())).toBe(sessions / 5);
  const due = await readUntilReady(dataDir);
  expect(due - empty).toBeLessThan(allowance);
});
