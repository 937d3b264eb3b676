import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { acquireLock, lockName } from '../store/sqlite/data-folder-lock.ts';
import { createDevFolder } from './dev-folder.ts';

function newParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'mayfly-parent-'));
  onTestFinished(() => {
    rmSync(parent, { recursive: true, force: true });
  });
  return parent;
}

/** As a process that was killed leaves it. */
function leave(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  acquireLock(join(folder, lockName))?.release();
  writeFileSync(join(folder, 'mayfly.db'), 'mail');
  return folder;
}

it('is a new folder each time, and gone with what is in it', () => {
  const parent = newParent();
  const [one, other] = [createDevFolder(parent), createDevFolder(parent)];
  expect(one.path).not.toBe(other.path);
  writeFileSync(join(one.path, 'mayfly.db'), 'mail');
  one.remove();
  one.remove();
  expect(existsSync(one.path)).toBe(false);
  expect(existsSync(other.path)).toBe(true);
});

it('removes what a killed process left, and nothing that is in use', () => {
  const parent = newParent();
  const left = leave(parent, 'mayfly-dev-left');
  const used = leave(parent, 'mayfly-dev-used');
  const lock = acquireLock(join(used, lockName));
  onTestFinished(() => lock?.release());
  // One folder of another start that has not taken its lock yet, and one of a start killed at that point long ago.
  const young = join(parent, 'mayfly-dev-young');
  const old = join(parent, 'mayfly-dev-old');
  mkdirSync(young);
  mkdirSync(old);
  utimesSync(old, 0, 0);
  createDevFolder(parent);
  expect([left, used, young, old].map((folder) => existsSync(folder))).toEqual([false, true, true, false]);
});

it('follows no link and takes no file of that name', () => {
  const parent = newParent();
  const elsewhere = leave(newParent(), 'precious');
  symlinkSync(elsewhere, join(parent, 'mayfly-dev-link'));
  writeFileSync(join(parent, 'mayfly-dev-file'), '');
  createDevFolder(parent);
  expect(existsSync(join(elsewhere, 'mayfly.db'))).toBe(true);
  expect(existsSync(join(parent, 'mayfly-dev-file'))).toBe(true);
});
