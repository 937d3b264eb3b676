// Published clients of other services' interfaces, as `npm run test:setup` installs them (test/clients/), run unmodified in
// processes of their own.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runWell } from './run-program.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** A program in this folder finds the npm clients. */
const npmFolder = path.join(root, 'node_modules/.test-clients');
let count = 0;
const python = path.join(root, 'node_modules/.test-python/bin/python');

/**
 * Runs a program of JavaScript (a module) that imports clients of test/clients/package.json; `given` is in
 * `process.argv.slice(2)`, and `env` is added to its environment. Resolves with what it wrote; rejects with what it wrote to standard error when it fails.
 */
export async function runJavaScriptClient(
  source: string,
  given: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const file = path.join(npmFolder, `program-${process.pid}-${(count += 1)}.mjs`);
  await writeFile(file, source);
  try {
    return await runWell(process.execPath, [file, ...given], { env: { ...process.env, ...env } });
  } finally {
    await rm(file);
  }
}

/** The same for Python and test/clients/requirements.txt; `given` is in `sys.argv[1:]`. */
export function runPythonClient(
  source: string,
  given: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return runWell(python, ['-c', source, ...given], { env: { ...process.env, ...env } });
}
