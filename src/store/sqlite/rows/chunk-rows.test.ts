import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '#group-commit/open-database';
import { ChunkRows } from './chunk-rows.ts';
import { toRowId } from './message-row-id.ts';
import { migrate } from '../migrate.ts';

const chunkBytes = 256 * 1024;
const messages = 64;

function open(file: string): Database.Database {
  const database = openDatabase(file);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

function createFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-chunks-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return path.join(folder, 'mayfly.db');
}

function toChunk(message: number): Buffer {
  return Buffer.alloc(chunkBytes, message);
}

/** A chunk of each of many messages. */
function fill(database: Database.Database): void {
  const chunks = new ChunkRows(database);
  database.transaction(() => {
    for (let message = 1; message <= messages; message++) {
      chunks.add(toRowId(message, 1), 1, toChunk(message));
    }
  })();
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/** Bytes that this process has read from files. */
function readBytes(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

it('reads a chunk without reading those of other messages', () => {
  const file = createFile();
  const writer = open(file);
  migrate(writer);
  fill(writer);
  // Another connection has nothing in memory.
  const database = open(file);
  const chunks = new ChunkRows(database);
  chunks.read(toRowId(1, 1), 1);
  const before = readBytes();
  expect(chunks.read(toRowId(40, 1), 1)?.every((byte) => byte === 40)).toBe(true);
  expect(readBytes() - before).toBeLessThan(2 * chunkBytes);
});
