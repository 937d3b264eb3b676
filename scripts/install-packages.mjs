// Installs the packages of a folder with a lockfile of its own: what the checks (tools/), the clients (clients/) and the
// tests of dialects (test/clients/) need beyond `npm ci`. `npm run check` and `npm run test:setup` may run at the same
// time, so the folder `node_modules` is made elsewhere and put in its place at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere } from './read-if-there.mjs';

const inputs = ['package.json', 'package-lock.json', '.npmrc'];
const stamp = 'node_modules/.installed-lock.json';

/**
 * Does nothing if the packages are those of the lockfile.
 * @param {string} source folder of package.json and package-lock.json
 * @param {string} target folder whose `node_modules` is made
 */
export async function installPackages(source, target = source) {
  if (await isInstalled(source, target)) return;
  console.log(`installing the packages of ${source}/package-lock.json`);
  await mkdir(target, { recursive: true });
  const scratch = await mkdtemp(path.join(target, '.installing-'));
  try {
    for (const name of inputs) await copyIfThere(path.join(source, name), path.join(scratch, name));
    await runNpm([
      'ci',
      '--prefix',
      scratch,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
    await copyFile(path.join(source, 'package-lock.json'), path.join(scratch, stamp));
    await putInPlace(path.join(scratch, 'node_modules'), source, target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} source
 * @param {string} target
 */
async function isInstalled(source, target) {
  const wanted = await readIfThere(path.join(source, 'package-lock.json'));
  return wanted !== undefined && wanted === (await readIfThere(path.join(target, stamp)));
}

/**
 * Replaces the packages of an earlier lockfile. If another process was faster, its packages stay.
 * @param {string} modules the finished folder
 * @param {string} source
 * @param {string} target
 */
async function putInPlace(modules, source, target) {
  const place = path.join(target, 'node_modules');
  try {
    await rename(modules, place);
  } catch (error) {
    const isTaken =
      error instanceof Error && 'code' in error && /^(ENOTEMPTY|EEXIST)$/.test(String(error.code));
    if (!isTaken) throw error;
    if (await isInstalled(source, target)) return;
    await rm(place, { recursive: true });
    await rename(modules, place);
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
async function copyIfThere(from, to) {
  if (existsSync(from)) await copyFile(from, to);
}

/** @param {readonly string[]} args */
async function runNpm(args) {
  const child = spawn('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`failed with status ${String(code)}: npm ${args.join(' ')}`);
}
