// Runs the load generators, each in its own process: our two drivers, and Postfix's smtp-source.
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { finish, startChild } from './child-processes.ts';
import type { DriverResult, HttpJob, SmtpJob } from './driver-job.ts';

/** A run is aborted after this; jobs take a few seconds, the longest sixty. */
const limitMs = 150_000;

export function runSmtpDriver(job: SmtpJob): Promise<DriverResult> {
  return runDriver(new URL('./smtp-driver.js', import.meta.url), job);
}

export function runHttpDriver(job: HttpJob): Promise<DriverResult> {
  return runDriver(new URL('./http-driver.js', import.meta.url), job);
}

async function runDriver(program: URL, job: SmtpJob | HttpJob): Promise<DriverResult> {
  const file = fileURLToPath(program);
  const child = startChild({ program: process.execPath, args: [file], stdio: 'pipe' });
  child.stdin?.end(JSON.stringify(job));
  const [output] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    finish(child, file, limitMs),
  ]);
  return JSON.parse(output) as DriverResult;
}

export interface SmtpSourceJob {
  readonly port: number;
  readonly connections: number;
  readonly reconnect: boolean;
  readonly messages: number;
  /** Payload without the header that smtp-source writes. */
  readonly bodyBytes: number;
  /** smtp-source puts 1, 2, 3 … before it: message n goes to the n-th address. */
  readonly recipient: string;
}

/**
 * Runs Postfix's smtp-source, which stops at the first unexpected reply.
 * @returns messages per second from its start to its end
 */
export async function runSmtpSource(job: SmtpSourceJob): Promise<number> {
  const numbers = ['-s', job.connections, '-m', job.messages, '-l', job.bodyBytes].map(String);
  const keep = job.reconnect ? [] : ['-d'];
  const addresses = ['-f', 'bench@example.org', '-N', '-t', job.recipient, `127.0.0.1:${job.port}`];
  const startedAt = performance.now();
  const child = startChild({
    program: 'smtp-source',
    args: [...numbers, ...keep, ...addresses],
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await finish(child, 'smtp-source', limitMs);
  return job.messages / ((performance.now() - startedAt) / 1000);
}
