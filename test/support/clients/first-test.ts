// Runs the command that a page of docs/first-test prints, in a folder with its files.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { inject } from 'vitest';

import { printedLines } from '../printed-lines.ts';
import { runWell } from '../servers/run-program.ts';

/** Returns the last line of the page's first block for the shell, which runs the tests. */
export function firstTestCommand(page: string): string {
  const lines = printedLines(`first-test/${page}`, { language: 'sh' }).trimEnd().split('\n');
  return lines.at(-1) ?? '';
}

/** `npx mayfly` is the built program; everything else is as a reader has it. */
export function runPrinted(command: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const bin = path.join(folder, '.bin');
  // Go takes no module that lies directly in the folder for temporary files.
  const temp = path.join(folder, '.tmp');
  for (const made of [bin, temp]) mkdirSync(made, { recursive: true });
  const main = path.join(inject('buildDir'), 'main.js');
  const npx = `#!/bin/sh\n[ "$1" = mayfly ] && shift && exec "${process.execPath}" "${main}" "$@"\nexec "$@"\n`;
  writeFileSync(path.join(bin, 'npx'), npx, { mode: 0o755 });
  return runWell('sh', ['-euc', command], {
    cwd: folder,
    env: {
      HOME: process.env['HOME'],
      TMPDIR: temp,
      ...env,
      PATH: `${bin}:${env['PATH'] ?? process.env['PATH']}`,
    },
  });
}
