import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

import { expect, it, onTestFinished } from 'vitest';

import { checksum, zipFolder } from './zip-folder.mjs';

/** Reads what the directory at the archive's end lists. */
function unzip(archive: Buffer): Readonly<Record<string, string>> {
  const end = archive.length - 22;
  const files: Record<string, string> = {};
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const begin = archive.readUInt32LE(at + 42) + 30 + nameLength;
    const bytes = inflateRawSync(archive.subarray(begin, begin + packed));
    expect(checksum(bytes)).toBe(archive.readUInt32LE(at + 16));
    files[name] = bytes.toString();
    at += 46 + nameLength;
  }
  return files;
}

it('packs a folder with the folders in it, always the same way', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-zip-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  mkdirSync(path.join(folder, 'in/größe'), { recursive: true });
  writeFileSync(path.join(folder, 'in/a.txt'), 'words '.repeat(1000));
  writeFileSync(path.join(folder, 'in/größe/b.txt'), '');
  const [one, other] = [path.join(folder, 'one.zip'), path.join(folder, 'other.zip')];
  const size = zipFolder(path.join(folder, 'in'), one);
  zipFolder(path.join(folder, 'in'), other);
  expect(readFileSync(one)).toHaveLength(size);
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  expect(unzip(readFileSync(one))).toEqual({ 'a.txt': 'words '.repeat(1000), 'größe/b.txt': '' });
  expect(checksum(Buffer.from('123456789'))).toBe(0xcbf43926);
});
