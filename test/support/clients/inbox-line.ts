// Runs `mayfly inbox` like a person or a script: a separate process, with its state in a separate folder.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

import { expect, inject, onTestFinished } from 'vitest';

import { type Finished, runProgram } from '../servers/run-program.ts';

export interface InboxLine {
  /** The folder of the inboxes' file. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  run(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Finished>;
  /** Returns the output; fails when the command fails or writes to standard error. */
  print(...words: readonly string[]): Promise<string>;
  start(words: readonly string[]): RunningLine;
}

export const mainOf = (): string => path.join(inject('buildDir'), 'main.js');

export async function openInboxLine(url: string): Promise<InboxLine> {
  const state = await mkdtemp(path.join(tmpdir(), 'mayfly-state-'));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], XDG_STATE_HOME: state, MAYFLY_URL: url };
  const run = (words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Finished> =>
    runProgram(process.execPath, [mainOf(), 'inbox', ...words], { env: { ...env, ...more } });
  return {
    folder: path.join(state, 'mayfly'),
    env,
    run,
    print: async (...words) => {
      const { status, stdout, stderr } = await run(words);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    },
    start: (words) => new RunningLine(env, words),
  };
}

/** A command that runs until it is ended. */
export class RunningLine {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<number | null>;

  constructor(env: NodeJS.ProcessEnv, words: readonly string[]) {
    const child = spawn(process.execPath, [mainOf(), 'inbox', ...words], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
  }

  /** Resolves once this has been printed. */
  async printed(wanted: RegExp): Promise<void> {
    await expect.poll(() => this.stdout, { timeout: 60_000 }).toMatch(wanted);
  }

  /** Resolves with the exit status. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.#child.kill(signal);
    return this.#ended;
  }
}
