// The folder for the data of one run: inside the project and thus on a real disk with real fsync costs, where a
// temporary folder is often memory. Removed at the end, or by the next run after a kill.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const prefix = 'data-';

/** Creates `parent` if needed. */
export function createScratchFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  removeAbandoned(parent);
  const folder = path.join(parent, `${prefix}${process.pid}`);
  mkdirSync(folder);
  return folder;
}

/** Waits for files still being written by a process that was just killed. */
export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function removeAbandoned(parent: string): void {
  const names = readdirSync(parent).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    if (!isAlive(Number(name.slice(prefix.length)))) removeScratchFolder(path.join(parent, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
