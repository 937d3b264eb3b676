// `mayfly dev` as a process beside the tests, for machines without Docker.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { Mayfly } from 'mayfly-client';

import { findProgram } from './find-program.ts';
import type { RunningMayfly } from './running-mayfly.ts';

export interface MayflyProcessOptions {
  /** Free ports by default. */
  readonly smtpPort?: number;
  readonly httpPort?: number;
  /** Settings of the service, in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Path of bin/mayfly.mjs; by default MAYFLY_BIN, else the project's package mayfly, else the one on the PATH. */
  readonly program?: string;
  /** Milliseconds until it must be ready; 60,000 by default. */
  readonly timeout?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const outputMax = 10_000;
const stopTimeout = 10_000;
/** Lies beside this file in the published package. */
const guard = new URL('end-with-parent.js', import.meta.url);

/**
 * Starts the service and returns when it is ready. It ends with `stop`, or with this process in whatever way.
 * @throws Error with its output when it does not start
 */
export async function startMayfly(options: MayflyProcessOptions = {}): Promise<MayflyProcess> {
  const { smtpPort = 0, httpPort = 0, environment = {}, timeout = 60_000 } = options;
  const env = { ...process.env, ...environment };
  const program = options.program ?? findProgram(process.cwd(), env);
  const words = ['dev', '--smtp-port', String(smtpPort), '--http-port', String(httpPort)];
  const child = spawn(process.execPath, ['--import', guard.href, program, ...words], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The process may be gone already.
  child.stdin.on('error', () => child.stdin.destroy());
  try {
    return new MayflyProcess(child, await untilReady(child, timeout));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

interface Ready {
  readonly url: string;
  readonly smtpHost: string;
  readonly smtpPort: number;
}

export class MayflyProcess implements RunningMayfly {
  readonly url: string;
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly #child: Child;
  #stopped: Promise<void> | undefined;

  /** Created by `startMayfly`. */
  constructor(child: Child, { url, smtpHost, smtpPort }: Ready) {
    this.#child = child;
    this.url = url;
    this.smtpHost = smtpHost;
    this.smtpPort = smtpPort;
    // A run that does not stop it can still end, and the service ends with it.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      (stream as Partial<{ unref: () => void }>).unref?.();
    }
  }

  /** The process id; undefined once it has ended. */
  get pid(): number | undefined {
    return isRunning(this.#child) ? this.#child.pid : undefined;
  }

  client(): Mayfly {
    return new Mayfly({ url: this.url });
  }

  async stop(): Promise<void> {
    this.#stopped ??= stop(this.#child);
    await this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function isRunning({ exitCode, signalCode }: Child): boolean {
  return exitCode === null && signalCode === null;
}

async function stop(child: Child): Promise<void> {
  if (!isRunning(child)) return;
  child.ref();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  await exited;
  clearTimeout(timer);
}

/** Waits until it has printed its addresses; the lines for a test's environment come last. */
function untilReady(child: Child, timeout: number): Promise<Ready> {
  let [output, complaint] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-outputMax);
  });
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`mayfly dev ${why}: ${complaint.trim() || 'no output'}`));
    };
    const timer = setTimeout(fail, timeout, `was not ready after ${timeout / 1000} s`);
    child.once('error', (error) => {
      fail(`could not be started (${error.message})`);
    });
    child.once('close', (code, signal) => {
      fail(`ended with ${signal ?? code} before it was ready`);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // Later output is read and dropped, so that the process never blocks on it.
      output = output.length < outputMax ? output + text : output;
      const ready = readReady(output);
      if (!ready) return;
      clearTimeout(timer);
      resolve(ready);
    });
  });
}

function readReady(output: string): Ready | undefined {
  const value = (name: string): string | undefined => new RegExp(`^${name}=(.+)\n`, 'm').exec(output)?.[1];
  const [url, smtpHost, smtpPort] = [value('MAYFLY_URL'), value('SMTP_HOST'), value('SMTP_PORT')];
  if (url === undefined || smtpHost === undefined || smtpPort === undefined) return undefined;
  return { url, smtpHost, smtpPort: Number(smtpPort) };
}
