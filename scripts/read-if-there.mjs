// Reads a file that need not exist. For scripts/docs.mjs and scripts/install-generators.mjs.
import { readFile } from 'node:fs/promises';

/**
 * @param {string} file
 * @returns {Promise<string | undefined>} undefined when there is none
 */
export async function readIfThere(file) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
