import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from './open-database.ts';
import { createLive, type OpenedStore, sweep } from '../../../test/contract/store-fixture.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { createLiveCopy } from './live-copy.ts';
import { storeDefaults } from '../../../test/support/service/store-defaults.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-copy-'));
  file = join(folder, 'mayfly.db');
  return () => rm(folder, { recursive: true });
});

function open(): SqliteStore {
  return openSqliteStore({
    ...storeDefaults,
    file,
    quota: { messages: Infinity, bytes: Infinity },
    onBroken: (error) => {
      throw error;
    },
  });
}

/** Read by another process: closing a file that SQLite has open in this one would drop its locks. */
async function filesWith(bytes: Uint8Array): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) =>
    execFileSync('cat', [join(folder, name)], { maxBuffer: 2 ** 28 }).includes(Buffer.from(bytes)),
  );
}

it('removes an abandoned copy once the sweeper has passed, and no file keeps the salt of an ended session', async () => {
  const store = open();
  const session = await createLive(store as unknown as OpenedStore);
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => {
    now.mockRestore();
  });
  await store.copy.make();
  const madeAt = performance.now();
  await store.mail.endSession(session.key);
  await sweep(store as unknown as OpenedStore);
  // A copy may be taken for a while after it was made.
  expect(await filesWith(session.salt)).toContain('mayfly.db.copy');
  now.mockImplementation(() => madeAt + 21_000);
  await sweep(store as unknown as OpenedStore);
  now.mockRestore();
  expect(existsSync(`${file}.copy`)).toBe(false);
  // Moves what is left in the WAL.
  await store.mail.close();
  expect(await filesWith(session.salt)).toEqual([]);
});

it('removes nothing of a copy that was taken away in time, and counts for each copy anew', async () => {
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE rows (value)');
  const copy = createLiveCopy(database, file, 0);
  const taken = join(folder, 'taken');
  await rename((await copy.make()).file, taken);
  copy.removeStale();
  expect(existsSync(taken)).toBe(true);
  // Not made by this copy since: it is left alone.
  await writeFile(`${file}.copy`, 'of another');
  copy.removeStale();
  expect(existsSync(`${file}.copy`)).toBe(true);
  await copy.make();
  copy.removeStale();
  expect(existsSync(`${file}.copy`)).toBe(false);
});

it('removes at the start what commands that were killed left behind', async () => {
  const left = ['copy', 'copy-journal', 'copy-wal', 'restoring', 'restoring-wal'].map((end) =>
    join(folder, `mayfly.db.${end}`),
  );
  for (const name of left) await writeFile(name, 'keys');
  await open().mail.close();
  expect(left.filter((name) => existsSync(name))).toEqual([]);
});
