// The built service as a separate process, as an operator runs it, and its HTTP interface as a user calls it.

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

import { inject } from 'vitest';

import { type Finished, runProgram } from '../servers/run-program.ts';

/** Everything except the tested settings is the machine's own. */
export function environment(dataDir: string, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    MAYFLY_DATA_DIR: dataDir,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    // Tests send no DNS queries.
    MAYFLY_DNS_SERVERS: 'none',
    ...settings,
  };
}

export interface Lent {
  readonly email: string;
  readonly token: string;
}

export interface ListedMail {
  readonly id: number;
  readonly sender_name: string;
  readonly sender_email: string;
  readonly subject: string;
  readonly is_read: boolean;
  readonly size: number;
}

export interface MailAttachment {
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly url: string;
}

export interface FullMail extends ListedMail {
  readonly code: string | null;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  readonly parse: string;
  readonly envelope: { readonly mail_from: string | null; readonly helo: string };
}

/** Creates a data folder, which outlives the processes on it. */
export async function createDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-data-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export class MayflyProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly smtpPort: number;
  readonly #output: { readonly stdout: string; readonly stderr: string };

  constructor(
    child: ChildProcess,
    ready: RegExpExecArray,
    output: { readonly stdout: string; readonly stderr: string; readonly basePath: string },
  ) {
    this.child = child;
    this.origin = (ready[1] ?? '') + output.basePath;
    this.smtpPort = Number(ready[2]);
    this.#output = output;
  }

  get said(): string {
    return this.#output.stdout;
  }

  /** Its log so far. */
  get log(): string {
    return this.#output.stderr;
  }

  /** Undefined when the operator's listener is off. */
  get adminOrigin(): string | undefined {
    return /^ {2}Operator: +(\S+)\/admin$/m.exec(this.#output.stdout)?.[1];
  }

  /** For the listener for dialects; undefined when it is off. */
  get compatOrigin(): string | undefined {
    return /^ {2}Dialects: +(\S+)\/$/m.exec(this.#output.stdout)?.[1];
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it by its process id, and returns its exit status or the signal that ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    const { child } = this;
    if (this.isRunning) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    return child.exitCode ?? child.signalCode;
  }

  async call(operation: string, token?: string): Promise<Response> {
    return fetch(this.origin + operation, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  }

  async lend(parameters: Readonly<Record<string, string>> = {}): Promise<Lent> {
    const body = new URLSearchParams(parameters);
    const response = await fetch(`${this.origin}/create-session`, { method: 'POST', body });
    if (!response.ok) throw new Error(`create-session: ${await response.text()}`);
    return (await response.json()) as Lent;
  }

  /** Returns one page of messages, newest first. */
  async checkMail(token: string, query = ''): Promise<ListedMail[]> {
    const response = await this.call(`/check-mail${query}`, token);
    if (!response.ok) throw new Error(`check-mail: ${await response.text()}`);
    return ((await response.json()) as { messages: ListedMail[] }).messages;
  }

  /** Returns all messages, in order of arrival. */
  async listMail(token: string): Promise<ListedMail[]> {
    const all: ListedMail[] = [];
    for (;;) {
      const page = await this.checkMail(token, `?after=${all.at(-1)?.id ?? 0}`);
      if (page.length === 0) return all;
      all.push(...page.reverse());
    }
  }

  async readMail(token: string, id: number): Promise<FullMail> {
    const response = await this.call(`/read-mail?id=${id}`, token);
    if (!response.ok) throw new Error(`read-mail: ${await response.text()}`);
    return ((await response.json()) as { message: FullMail }).message;
  }

  async rawMail(token: string, id: number): Promise<Buffer> {
    const response = await this.call(`/raw-mail?id=${id}`, token);
    if (!response.ok) throw new Error(`raw-mail: ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }
}

/** Resolves when it reports that it is ready; rejects with its output if it ends before. */
export function startMayfly(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  { buildDir = inject('buildDir'), words = [] }: { buildDir?: string; words?: readonly string[] } = {},
): Promise<MayflyProcess> {
  const env = environment(dataDir, settings);
  const main = path.join(buildDir, 'main.js');
  return untilReady(
    spawn(process.execPath, [main, 'serve', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

/**
 * `child` becomes the service, with pipes for both outputs; `basePath` is that of its interface, which its first line
 * does not mention.
 */
export function untilReady(
  child: ChildProcessByStdio<null, Readable, Readable>,
  basePath = '',
): Promise<MayflyProcess> {
  const output = { stdout: '', stderr: '', basePath };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
      const ready = /^ready (https?:\/\/\S+)?(?: ?smtp:\/\/\S+:(\d+))?\n/.exec(output.stdout);
      if (ready) resolve(new MayflyProcess(child, ready, output));
    });
    child.once('close', (code) => {
      reject(new Error(`Mayfly ended with ${code}: ${output.stderr}`));
    });
  });
}

/** Runs a `mayfly` command to its end. */
export function runMayfly(
  dataDir: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const env = environment(dataDir, settings);
  return runProgram(process.execPath, [path.join(inject('buildDir'), 'main.js'), ...words], { env });
}
