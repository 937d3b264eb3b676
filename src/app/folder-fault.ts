// Explains why one of the operator's folders, or a file in it, cannot be used: the system's error, and its cause if
// that can be found. Used at the start, by open-store.ts.

import { accessSync, constants, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { codeOf } from '#system-errors/error-code';

export interface FolderFault {
  /** One line. */
  readonly reason: string;
  /** As in StartError. */
  readonly isLasting: boolean;
}

/** Opening a store needs about this much. */
const roomMinBytes = 1024 * 1024;

/** Errors about files that are missing, of the wrong kind, or owned by someone else. */
const lastingCodes =
  /^(?:EACCES|EPERM|EROFS|EEXIST|EISDIR|ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG|EINVAL|SQLITE_(?:CANTOPEN|READONLY|NOTADB|PERM|AUTH).*)$/;
const roomCodes = /^(?:ENOSPC|EDQUOT|SQLITE_(?:FULL|IOERR|CANTOPEN).*)$/;

/** @param folder the place of the error, or a folder that contains it */
export function explainFolderFault(error: unknown, folder: string): FolderFault {
  const code = codeOf(error) ?? '';
  const { message } = error as Error;
  const detail = message.replace(/\s+/g, ' ');
  const noRoom = roomCodes.test(code) ? findLackOfRoom(nearestFolder(folder)) : undefined;
  if (noRoom !== undefined) return { reason: `${noRoom} (${detail})`, isLasting: false };
  // Errors without a code are our own: the store is newer, or not one of ours.
  const isLasting = code === '' || lastingCodes.test(code);
  if (code.startsWith('SQLITE_') && isLasting && !isWritable(nearestFolder(folder))) {
    return { reason: `this user may not write to it (${detail})`, isLasting };
  }
  return { reason: detail, isLasting };
}

/** Like mkdir -p, with mode 0700. @throws Error with the system's code; Node's own never returns below /proc */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has just made it.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function findLackOfRoom(folder: string): string | undefined {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  if (bavail * bsize < roomMinBytes) return 'its disk is full';
  return files > 0 && ffree === 0 ? 'its file system has no inode left' : undefined;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // A folder that cannot be checked is not writable.
    return false;
  }
}

function nearestFolder(path: string): string {
  let folder = resolve(path);
  while (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}
