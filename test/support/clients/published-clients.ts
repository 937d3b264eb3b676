// Published clients of other services' interfaces, as installed by `npm run test:setup` (test/clients/), run
// unmodified in separate processes.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runWell } from '../servers/run-program.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** Programs in this folder can import the npm clients. */
const npmFolder = path.join(root, 'node_modules/.test-clients');
let count = 0;
const python = path.join(root, 'node_modules/.test-python/bin/python');

/**
 * Runs a JavaScript module that imports clients of test/clients/package.json; `given` is in `process.argv.slice(2)`,
 * and `env` is added to its environment. Resolves with its output; rejects with its standard error if it fails.
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
