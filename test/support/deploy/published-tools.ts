// The Node.js and the npm of a user who installs what is published, rather than those of this run. `npm run test:setup`
// installs them.

import path from 'node:path';

import { runWell } from '../servers/run-program.ts';

/** The driver and the Node.js of the published package, as an installation has them. */
export const publishedModules = path.resolve('node_modules/.published/node_modules');
export const newNode = path.join(publishedModules, `node-linux-${process.arch}`, 'bin/node');
const newNpm = path.resolve('node_modules/.test-install/node_modules/npm/bin/npm-cli.js');

/** An environment in which `node` is that Node.js. */
export const newPath: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${path.dirname(newNode)}${path.delimiter}${process.env['PATH'] ?? ''}`,
};

export interface NpmOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the newest npm, which takes from its cache what test:setup has fetched. */
export function npm(args: readonly string[], { cwd, env = newPath }: NpmOptions): Promise<string> {
  return runWell(newNode, [newNpm, ...args, '--prefer-offline', '--no-audit', '--no-fund'], { cwd, env });
}
