// The version of the program, from its package. Works from src, from a build and from dist.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function readVersion(folder: string): string {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return readVersion(parent);
  }
}

export const version = readVersion(dirname(fileURLToPath(import.meta.url)));
