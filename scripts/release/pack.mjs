// Packs npm packages as they are published.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './run.mjs';
import { stage } from './stage.mjs';

/** @param {{ name: string, version: string }} manifest */
export function tarballName({ name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/**
 * @param {string} root the repository
 * @param {readonly import('./published-manifest.mjs').Package[]} packages
 * @param {string} folder
 */
export async function pack(root, packages, folder) {
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(path.join(tmpdir(), 'mayfly-pack-'));
  try {
    const staged = packages.map((_, at) => path.join(scratch, String(at)));
    for (const [at, given] of packages.entries()) await stage(root, given, staged[at] ?? '');
    run('npm', ['pack', '--silent', '--pack-destination', folder, ...staged], root);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
