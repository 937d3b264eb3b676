// For programs of a test's own that refuse to run as root: the command as a plain user, and a folder that is this user's.

import { execFile } from 'node:child_process';
import { accessSync, constants, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const plainUser = 'nobody';
/** On every Linux. */
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
    // There is none: not Linux.
    return tmpdir();
  }
}

/** In memory where there is plenty. */
export const scratchFolder = findScratchFolder();

/** The command as somebody who is not root. */
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
