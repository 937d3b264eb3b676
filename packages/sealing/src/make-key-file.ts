// Makes the files of the service's own keys in the data folder. Used by server-key and load-push-key.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../system-errors/src/error-code.ts';

/**
 * Creates the file whole and synced, with mode 0600, or leaves one that another process made first. Returns what the
 * file has: processes that start together on one folder get the same key, and a kill leaves no part of one. Not synced
 * where the folder ends with the process.
 */
export function makeKeyFile(file: string, content: Uint8Array, isSynced = true): Buffer {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, content);
    if (isSynced) fsyncSync(descriptor);
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(descriptor);
    unlinkSync(draft);
  }
  if (isSynced) syncFolder(dirname(file));
  return readFileSync(file);
}

/** Without it the name of a new file may not survive a loss of power. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
