import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

import { makeKeyFile } from './make-key-file.ts';
import { loadServerKey } from './server-key.ts';

const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'mayfly-key-'));

it('makes the file for its owner alone, and leaves nothing beside it', () => {
  const folder = newFolder();
  const file = path.join(folder, 'a.key');
  expect(makeKeyFile(file, Buffer.from('one')).toString()).toBe('one');
  expect(readFileSync(file, 'utf8')).toBe('one');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.key']);
});

it('takes the key of another process that was first', () => {
  const folder = newFolder();
  const file = path.join(folder, 'a.key');
  writeFileSync(file, 'first');
  expect(makeKeyFile(file, Buffer.from('second')).toString()).toBe('first');
  expect(readdirSync(folder)).toEqual(['a.key']);
});

it('gives the server one key for all its starts', () => {
  const folder = newFolder();
  const key = loadServerKey(folder);
  expect(key).toHaveLength(32);
  expect(loadServerKey(folder).equals(key)).toBe(true);
});
