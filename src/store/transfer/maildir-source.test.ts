import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { openMaildirSource } from './maildir-source.ts';
import type { TransferCursor, TransferRow } from './transfer-rows.ts';

const pieceBytes = 256 * 1024;

async function createMaildir(files: Readonly<Record<string, number>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-maildir-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['cur', 'new']) await mkdir(join(folder, name));
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(folder, name), Buffer.alloc(bytes, 7));
  }
  return folder;
}

function readAll(folder: string): TransferRow[] {
  const source = openMaildirSource(folder);
  const all: TransferRow[] = [];
  let after: TransferCursor | undefined;
  for (;;) {
    const { rows, cursor } = source.readBatch(after);
    if (cursor === undefined) return all;
    all.push(...rows);
    after = cursor;
  }
}

it('reads each file in pieces, those of cur first, also across batches', async () => {
  const folder = await createMaildir({
    'cur/a': 2 * pieceBytes + 1,
    'cur/b': pieceBytes,
    'new/c': 0,
    'new/d': 20 * pieceBytes,
    'new/e': 1,
  });
  const rows = readAll(folder).map(({ id, number, data, size_bytes: size }) => [
    id,
    number,
    (data as Uint8Array).length,
    size,
  ]);
  expect(rows).toEqual([
    [1, 0, pieceBytes, 2 * pieceBytes + 1],
    [1, 1, pieceBytes, 2 * pieceBytes + 1],
    [1, 2, 1, 2 * pieceBytes + 1],
    [2, 0, pieceBytes, pieceBytes],
    [3, 0, 0, 0],
    ...Array.from({ length: 20 }, (_, at) => [4, at, pieceBytes, 20 * pieceBytes]),
    [5, 0, 1, 1],
  ]);
});

it('has another fingerprint once a file has come; a missing folder is empty', async () => {
  const folder = await createMaildir({ 'cur/a': 5 });
  const before = openMaildirSource(folder).fingerprint;
  expect(openMaildirSource(folder).fingerprint).toBe(before);
  await writeFile(join(folder, 'new', 'b'), 'x');
  expect(openMaildirSource(folder).fingerprint).not.toBe(before);
  expect(readAll(join(folder, 'missing'))).toEqual([]);
});
