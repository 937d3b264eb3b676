// Installs Pebble, the ACME server that Let's Encrypt publishes for tests, in a fixed version, into a folder below
// node_modules. Does nothing if it is there. Called by test-setup.mjs.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { readIfThere } from './read-if-there.mjs';

const folder = path.resolve('node_modules/.test-pebble');
const wanted = 'github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1';

export async function installPebble() {
  const mark = path.join(folder, 'installed');
  if ((await readIfThere(mark)) === wanted) return;
  console.log('test:setup: installing Pebble');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('go', ['install', wanted], { env: { ...process.env, GOBIN: folder } });
  await writeFile(mark, wanted);
}
