// Runs a command beside the service, with the terminal as its own, until it ends.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { codeOf } from '#system-errors/error-code';

/** As shells report them. */
const notFound = 127;
const notExecutable = 126;
const signalled = 128;

/** Signals that reach only this process are passed on; a terminal sends SIGINT to both. */
const passedOn = ['SIGTERM', 'SIGHUP'] as const;

/**
 * @returns its exit status; 128 and the signal's number when a signal ended it, 127 when there is no such command, 126
 *   when it cannot be run
 */
export function runBeside(
  [program = '', ...words]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit', env: environment });
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of passedOn) process.on(signal, pass);
    const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
    process.on('SIGINT', hasTerminal ? () => undefined : pass);
    child.once('error', (error) => {
      const status = { ENOENT: notFound, EACCES: notExecutable }[codeOf(error) ?? ''];
      if (status === undefined) {
        reject(error);
        return;
      }
      const reason = status === notFound ? 'was not found' : 'cannot be run';
      process.stderr.write(`mayfly: the command ${JSON.stringify(program)} ${reason}\n`);
      resolve(status);
    });
    child.once('exit', (code, signal) => {
      resolve(code ?? signalled + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}
