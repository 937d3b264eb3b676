// Opens a SQLite store in a temporary folder, for the contract and for SQLite's own tests.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createKeptMailbox } from '../support/service/kept-mailbox.ts';
import {
  type OpenedStore,
  type RowCount,
  type StoreOptions,
  withPorts,
  withSecrets,
} from './store-fixture.ts';
import { storeDefaults } from '../support/service/store-defaults.ts';

/**
 * Reads through another process: when a process closes a file that SQLite has open in it, the kernel drops the locks
 * SQLite holds on it.
 */
function readFromOutside(file: string): Buffer {
  return execFileSync('cat', [file], { maxBuffer: 2 ** 30 });
}

function countRows(file: string): RowCount {
  const database = new Database(file, { readonly: true });
  try {
    const count = (tables: readonly string[]): number =>
      tables.reduce(
        (sum, table) => sum + (database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number),
        0,
      );
    return {
      content: count(['messages', 'chunks', 'notes', 'events', 'attempts', 'garbage', 'origins', 'staged']),
      sessions: count(['sessions', 'addresses']),
      keys: count([withSecrets]),
    };
  } finally {
    database.close();
  }
}

export async function openSqliteForTest(options: StoreOptions): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-store-'));
  const file = join(folder, 'mayfly.db');
  let at = Date.UTC(2026, 0, 1);
  const broken: Error[] = [];
  const open = ({ outbox }: Pick<StoreOptions, 'outbox'>): Stores => {
    const opened = openSqliteStore({
      ...storeDefaults,
      file,
      quota: options.quota ?? { messages: Infinity, bytes: Infinity },
      onBroken: (error) => broken.push(error),
      clock: () => at,
      ...(options.onNews ? { onNews: options.onNews } : {}),
      ...(options.onEnded ? { onEnded: options.onEnded } : {}),
      ...(outbox ? { outbox } : {}),
    });
    return { ...opened, operatorMailbox: createKeptMailbox() };
  };
  let store = open(options);
  return withPorts(() => store, {
    clock: { now: () => at, advance: (ms) => void (at += ms) },
    reopen: async (other = options) => {
      await store.close();
      store = open(other);
    },
    dataFiles: async () => (await readdir(folder)).map((name) => readFromOutside(join(folder, name))),
    sizeBytes: async () => {
      const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    countRows: () => Promise.resolve(countRows(file)),
    dispose: async () => {
      await store.close();
      await rm(folder, { recursive: true });
      if (broken[0]) throw broken[0];
    },
  });
}
