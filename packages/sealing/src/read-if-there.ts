// Reads keys, tokens and certificates whose file may not exist yet. Called at the start and by loaders of keys.

import { readFileSync } from 'node:fs';
import { codeOf } from '../../system-errors/src/error-code.ts';

/** Returns undefined when there is no such file. */
export function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
