// The inbox of one worker of a test run, by MAYFLY_WORKER: with `mayfly dev` any name may log in, and each has an inbox
// of its own.

import type { Program } from './program-command.ts';

export interface WorkerLogin {
  readonly user: string;
  readonly password: string;
}

/** Returns undefined where the variable is not set. */
export function workerLogin(environment: Program['environment']): WorkerLogin | undefined {
  const name = environment['MAYFLY_WORKER']?.trim() ?? '';
  return name === '' ? undefined : { user: `worker-${name}`, password: 'mayfly' };
}
