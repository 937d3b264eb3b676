// Finds the program `mayfly`: the project's package, else the one on the PATH.

import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Returns a file for Node. @throws Error that says what to install */
export function findProgram(folder: string, environment: NodeJS.ProcessEnv): string {
  const named = environment['MAYFLY_BIN'];
  const found = named === undefined || named === '' ? (inProject(folder) ?? onPath(environment)) : named;
  if (found === undefined || !existsSync(found)) {
    const where = found === undefined ? '' : ` There is nothing at ${found}.`;
    throw new Error(
      `No program mayfly: install the npm package mayfly, or name bin/mayfly.mjs in MAYFLY_BIN.${where}`,
    );
  }
  return realpathSync(found);
}

function inProject(folder: string): string | undefined {
  const folders = createRequire(path.join(folder, 'package.json')).resolve.paths('mayfly') ?? [];
  return folders
    .map((modules) => path.join(modules, 'mayfly', 'bin', 'mayfly.mjs'))
    .find((file) => existsSync(file));
}

/** npm puts a link there. */
function onPath(environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const programs = folders.map((folder) => path.join(folder, 'mayfly')).filter((file) => existsSync(file));
  return programs.find((file) => /\.[cm]?js$/.test(realpathSync(file)));
}
