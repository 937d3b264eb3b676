// Runs programs that refuse root: the command as a plain user, and a folder owned by that user.

import { execFile } from 'node:child_process';
import { accessSync, constants, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const plainUser = 'nobody';
/** `nobody` on every Linux. */
export const plainUserId = 65_534;
const memoryFolder = '/dev/shm';
/** Room for several servers at once. */
const memoryMinBytes = 4 * 2 ** 30;

/** A database is copied three times as fast there. */
function findScratchFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= memoryMinBytes ? memoryFolder : tmpdir();
  } catch {
    // Missing: not Linux.
    return tmpdir();
  }
}

/** In memory if there is plenty. */
export const scratchFolder = findScratchFolder();

/** Returns the command as a user other than root. */
export function asPlainUser(command: string, words: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, [...words]];
  return ['setpriv', ['--reuid', plainUser, '--regid', 'nogroup', '--clear-groups', command, ...words]];
}

export async function makeOwnFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(path.join(scratchFolder, prefix));
  await chmod(folder, 0o700);
  if (process.getuid?.() === 0) await run('chown', [`${plainUser}:nogroup`, folder]);
  return folder;
}
