// Runs a command beside the service, with the terminal as its own, until it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';

import { codeOf } from '#system-errors/error-code';

/** As shells report them. */
const notFound = 127;
const notExecutable = 126;
const signalled = 128;

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** More than a busy machine takes to end a process. */
const witnessMs = 500;

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
    passSignals((signal) => void child.kill(signal));
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

/** Passes on the signals that reach only this process; one from a terminal, or to the group, the command had itself. */
function passSignals(pass: (signal: NodeJS.Signals) => void): void {
  let witness = startWitness();
  const handle = async (signal: NodeJS.Signals): Promise<void> => {
    if (await Promise.race([witness, setTimeout(witnessMs, false)])) witness = startWitness();
    else pass(signal);
  };
  let last = Promise.resolve();
  for (const name of passedOn) process.on(name, (signal) => void (last = last.then(() => handle(signal))));
}

/**
 * Starts a process of the same group, which any signal to the group ends, as does the end of this process.
 * @returns a promise that resolves with true when it has ended, or cannot be started: Windows signals groups alone
 */
async function startWitness(): Promise<boolean> {
  const witness = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  return once(witness, 'exit').then(
    () => true,
    () => true,
  );
}
