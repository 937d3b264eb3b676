import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ScratchFile } from './scratch-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-scratch-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('gives back what was appended, in order, as often as asked', () => {
  const file = new ScratchFile(folder);
  const pieces = [1, 0, 15, 16, 17, 70_000, 300_000, 3].map((size) => randomBytes(size));
  for (const piece of pieces) file.append(piece);
  const whole = Buffer.concat(pieces);
  expect(file.sizeBytes).toBe(whole.length);
  expect(Buffer.concat([...file.pieces()]).equals(whole)).toBe(true);
  expect(Buffer.concat([...file.pieces()]).equals(whole)).toBe(true);
  file.close();
});

it('has no name in the folder, and holds nothing in the clear', () => {
  const file = new ScratchFile(folder);
  const marker = 'a marker that nobody else writes';
  file.append(Buffer.from(marker.repeat(1000)));
  expect(readdirSync(folder)).toEqual([]);
  const open = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  });
  expect(open).toHaveLength(1);
  expect(readFileSync(`/proc/self/fd/${open[0] ?? ''}`).includes('marker')).toBe(false);
  file.close();
});

it('can be closed twice and says so when it is read afterwards', () => {
  const file = new ScratchFile(folder);
  file.append(Buffer.from('abc'));
  file.close();
  file.close();
  expect(() => [...file.pieces()]).toThrow('EBADF');
});

it('fails to open where no file can be made', () => {
  expect(() => new ScratchFile(join(folder, 'absent'))).toThrow('ENOENT');
});
