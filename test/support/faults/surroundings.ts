// Starts the built service after a shell command of the test: limits, a mount, a preloaded library. The command runs
// first in the same process, which then becomes the service.

import { spawn } from 'node:child_process';
import path from 'node:path';

import { inject, onTestFinished } from 'vitest';

import { type MayflyProcess, untilReady, environment } from '../service/mayfly-process.ts';
import { useDataFolder } from '../service/mayfly-fixture.ts';

export interface Surroundings {
  readonly dataDir?: string;
  /** Put before the shell, such as `unshare --mount`. */
  readonly wrapper?: readonly string[];
}

/** `command` must succeed. Ended with the test. */
export async function startMayflyIn(
  command: string,
  settings: Readonly<Record<string, string>>,
  { dataDir, wrapper = [] }: Surroundings = {},
): Promise<MayflyProcess> {
  const env = environment(dataDir ?? (await useDataFolder()), settings);
  const main = path.join(inject('buildDir'), 'main.js');
  const script = `${command} && exec "$0" "$1" serve`;
  const [program = 'sh', ...args] = [...wrapper, 'sh', '-c', script, process.execPath, main];
  const mayfly = await untilReady(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}
