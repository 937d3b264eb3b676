// Reads keys, tokens and certificates whose file may not exist yet. Called at the start and by loaders of keys.

import { readFileSync } from 'node:fs';

/** Returns undefined when there is no such file. */
export function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
