import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeEach, expect, inject, it, onTestFinished } from 'vitest';

import { acquireDataFolderLock } from './data-folder-lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-lock-'));
  return () => rm(folder, { recursive: true });
});

/** Another process that holds the folder's lock until it is killed. */
async function spawnHolder() {
  const module = pathToFileURL(join(inject('modulesDir'), 'store/sqlite/data-folder-lock.js'));
  const script = `
    const { acquireDataFolderLock } = await import(${JSON.stringify(module.href)});
    globalThis.lock = acquireDataFolderLock(${JSON.stringify(folder)});
    process.stdout.write(globalThis.lock ? 'held' : 'refused');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, answer: answer.toString() };
}

it('is given to one at a time and again after its release', () => {
  const lock = acquireDataFolderLock(folder);
  expect(lock).toBeDefined();
  expect(acquireDataFolderLock(folder)).toBeUndefined();
  lock?.release();
  lock?.release();
  const again = acquireDataFolderLock(folder);
  expect(again).toBeDefined();
  again?.release();
});

it('is refused to another process', async () => {
  const lock = acquireDataFolderLock(folder);
  expect((await spawnHolder()).answer).toBe('refused');
  lock?.release();
  expect((await spawnHolder()).answer).toBe('held');
});

it('is free when the process that held it was killed', async () => {
  const { child, answer } = await spawnHolder();
  expect(answer).toBe('held');
  expect(acquireDataFolderLock(folder)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = acquireDataFolderLock(folder);
  expect(lock).toBeDefined();
  lock?.release();
});

it('throws when the folder is not there', () => {
  expect(() => acquireDataFolderLock(join(folder, 'missing'))).toThrow();
});
