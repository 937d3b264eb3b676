// The data folder of `mayfly dev`, a temporary one that ends with the process. One left by a killed process is removed
// by the next start, which recognises it by its released lock.

import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { acquireLock, lockName } from '../store/sqlite/data-folder-lock.ts';

const prefix = 'mayfly-dev-';
/** How long a folder may be without a lock, because its process is about to acquire it. */
const unlockedMs = 60_000;

export interface DevFolder {
  readonly path: string;
  /** Call when the process ends, also from an exit handler: it is synchronous. */
  remove(): void;
}

/** @param parent the system's temporary folder when absent */
export function createDevFolder(parent = tmpdir()): DevFolder {
  removeLeftFolders(parent);
  const path = mkdtempSync(join(parent, prefix));
  return {
    path,
    remove: () => {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
      // The store's threads may run until the process ends: under another name they cannot create new files in it.
      const gone = `${path}-gone`;
      renameSync(path, gone);
      rmSync(gone, { recursive: true, force: true });
    },
  };
}

function removeLeftFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    if (isOwnFolder(folder)) removeUnlessInUse(folder);
  }
}

/** The temporary folder is shared: folders of others, and links, are left alone. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

function removeUnlessInUse(folder: string): void {
  const lockFile = join(folder, lockName);
  const hasLock = lstatSync(lockFile, { throwIfNoEntry: false }) !== undefined;
  const since = lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
  if (!hasLock && Date.now() - since < unlockedMs) return;
  const lock = acquireLock(lockFile);
  if (!lock) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
