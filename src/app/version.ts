// The version of the program, from its package. Works from src, from a build and from dist.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const manifest = 'package.json';

function findPackage(folder: string): string {
  const parent = dirname(folder);
  if (existsSync(join(folder, manifest))) return folder;
  if (parent === folder) throw new Error(`There is no ${manifest} above the program.`);
  return findPackage(parent);
}

/** The folder of the installation. */
export const packageFolder = findPackage(dirname(fileURLToPath(import.meta.url)));

/** The version installed now: after an upgrade another than that of the running program. */
export function readInstalledVersion(): string {
  const text = readFileSync(join(packageFolder, manifest), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

export const version = readInstalledVersion();
