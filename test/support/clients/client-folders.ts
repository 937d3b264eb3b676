// A user's folders with a client of this repository installed, for the examples printed in its documentation.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { runWell } from '../servers/run-program.ts';

export const python = path.resolve('node_modules/.test-python/bin/python');
export const pythonPath = { PYTHONPATH: path.resolve('clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
/** With the plugin, as its entry point loads it when installed; without other plugins, which start slowly. */
export const pytest = [
  ...['-m', 'pytest', '-q', '-p', 'mayfly_client.pytest_plugin'],
  ...['-p', 'no:schemathesis', '-p', 'no:hypothesispytest'],
];
export const goModule = 'github.com/mayfly-mail/mayfly/clients/go';

/** Removed when the test has finished. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** With `mayfly-client`, built there: concurrent tests may build it too. */
export async function createNodeFolder(): Promise<string> {
  const folder = await createFolder();
  const installed = path.join(folder, 'node_modules', 'mayfly-client');
  await runWell(process.execPath, ['scripts/build-client.mjs', 'typescript', installed]);
  return folder;
}

/** A module that requires the client's. */
export async function createGoFolder(): Promise<string> {
  const folder = await createFolder();
  await writeFile(
    path.join(folder, 'go.mod'),
    `module example.test/signup\n\ngo 1.23\n\nrequire ${goModule} v0.0.0\n\nreplace ${goModule} => ${path.resolve('clients/go')}\n`,
  );
  return folder;
}
