// The data folder of `mayfly dev`: a temporary one that ends with the process. What a process left that could not end
// itself (kill -9, a power cut) is removed by the next start, which knows it by its lock: the kernel has let go of that.

import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { acquireLock, lockName } from '../store/sqlite/data-folder-lock.ts';

const prefix = 'mayfly-dev-';
/** How long a folder may be without a lock: its process is just about to take it. */
const unlockedMs = 60_000;

export interface DevFolder {
  readonly path: string;
  /** When the process ends, and from an exit handler: nothing in it waits. */
  remove(): void;
}

/** @param parent the system's folder of temporary files where absent */
export function createDevFolder(parent = tmpdir()): DevFolder {
  removeLeftFolders(parent);
  const path = mkdtempSync(join(parent, prefix));
  return {
    path,
    remove: () => {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
      // Threads of the store may run until the process has ended: under another name they make no new file in it.
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

/** The folder of temporary files is shared: others' folders, and links to anywhere, are left alone. */
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
