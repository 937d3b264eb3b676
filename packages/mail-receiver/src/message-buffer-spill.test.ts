// Large messages in scratch files, and what happens to a message when the disk is full.

import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createRandom } from '../../../test/support/random.ts';
import { headBytes } from '../../../src/domain/limits.ts';
import { ScratchFile } from './scratch-file.ts';
import { MessageBuffer } from './message-buffer.ts';

const afterBytes = 100_000;
let folder: string;
let files: ScratchFile[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-spill-'));
  files = [];
});
afterEach(() => {
  for (const file of files) file.close();
  rmSync(folder, { recursive: true });
});

function open(): ScratchFile {
  const file = new ScratchFile(folder);
  files.push(file);
  return file;
}

function gather(pieces: readonly Buffer[]): MessageBuffer {
  const buffer = new MessageBuffer({ afterBytes, open });
  for (const piece of pieces) buffer.append(piece);
  return buffer;
}

function whole(buffer: MessageBuffer): Buffer {
  return Buffer.concat([...buffer.pieces()]);
}

/** Files of this test's folder that the process has open. */
function countOpen(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

/** Takes so many bytes and then fails as a full disk does. */
function createFailingFile(takesBytes: number): ScratchFile {
  const file = new ScratchFile(folder);
  files.push(file);
  const append = file.append.bind(file);
  file.append = (bytes) => {
    if (file.sizeBytes + bytes.length > takesBytes) {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    }
    append(bytes);
  };
  return file;
}

describe('a message that is spilled', () => {
  it('keeps in memory what fits there and opens a file for the first byte beyond', () => {
    const pieces = Array.from({ length: 20 }, () => Buffer.alloc(5000, 'x'));
    expect(gather(pieces).sizeBytes).toBe(afterBytes);
    expect(files).toHaveLength(0);
    const buffer = gather([...pieces, Buffer.from('y')]);
    expect([...whole(buffer)].slice(-2)).toEqual([...Buffer.from('xy')]);
    expect(files.map(({ sizeBytes }) => sizeBytes)).toEqual([1]);
  });

  it('is read back twice, whatever its pieces (seed 36)', () => {
    const random = createRandom(36);
    const sizes = [1, 100, 2047, 2048, 16_384, 65_536, 100_000, 300_000];
    for (let round = 0; round < 30; round++) {
      const pieces = Array.from({ length: 1 + random.below(12) }, () => random.bytes(random.pick(sizes)));
      const sent = Buffer.concat(pieces);
      const buffer = gather(pieces);
      expect(buffer.head().equals(sent.subarray(0, headBytes))).toBe(true);
      expect(whole(buffer).equals(sent)).toBe(true);
      expect(whole(buffer).equals(sent)).toBe(true);
      buffer.release();
    }
  });

  // Input that waited for a slow look-up comes in one piece, larger than all that is kept.
  it.each([[[300_000]], [[60_000, 100_000]], [[2048, 250_000]]])(
    'has its head in memory: pieces of %j',
    (sizes) => {
      const sent = createRandom(7).bytes(sizes.reduce((sum, size) => sum + size, 0));
      let at = 0;
      const buffer = gather(sizes.map((size) => sent.subarray(at, (at += size))));
      expect(buffer.head().equals(sent.subarray(0, headBytes))).toBe(true);
      expect(whole(buffer).equals(sent)).toBe(true);
    },
  );

  it('holds no more memory than it may', () => {
    const buffer = gather([...Array<Buffer>(40).fill(Buffer.alloc(4000)), Buffer.alloc(1_000_000)]);
    const [file] = files;
    expect(buffer.sizeBytes - (file?.sizeBytes ?? 0)).toBe(afterBytes);
  });

  it('closes its file when it is released, once or twice', () => {
    const buffer = gather([Buffer.alloc(200_000)]);
    buffer.release();
    buffer.release();
    expect(countOpen()).toBe(0);
    expect([...buffer.pieces()]).toEqual([]);
  });
});

describe('a disk that takes no more', () => {
  it.each([
    ['at once', 0],
    ['in the middle', 150_000],
  ])('reports %s as the failure, and holds nothing any more', (_, takesBytes) => {
    const buffer = new MessageBuffer({ afterBytes, open: () => createFailingFile(takesBytes) });
    for (let count = 0; count < 10; count++) buffer.append(Buffer.alloc(50_000));
    expect(buffer.failure).toMatchObject({ code: 'ENOSPC' });
    expect(whole(buffer)).toHaveLength(0);
    expect(files).toHaveLength(1);
    expect(countOpen()).toBe(0);
  });

  it('is reported for the last few bytes before they are read back', () => {
    const buffer = new MessageBuffer({ afterBytes, open: () => createFailingFile(10) });
    buffer.append(Buffer.alloc(afterBytes));
    buffer.append(Buffer.alloc(11));
    expect(buffer.failure).toMatchObject({ code: 'ENOSPC' });
  });

  it('is reported when no file can be opened', () => {
    const buffer = new MessageBuffer({ afterBytes, open: () => new ScratchFile(join(folder, 'absent')) });
    buffer.append(Buffer.alloc(200_000));
    expect(buffer.failure).toMatchObject({ code: 'ENOENT' });
  });

  it('is no failure of a message that fits in memory', () => {
    const buffer = new MessageBuffer({ afterBytes, open: () => createFailingFile(0) });
    buffer.append(Buffer.alloc(100_000));
    expect(buffer.failure).toBeUndefined();
  });
});
