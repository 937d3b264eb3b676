// The other catchers of mail that `npm run bench -- --peers` measures: built by build-peers.mjs, started with settings
// that keep every message, on a fresh folder. Neither syncs what it stores.
import { mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { type Command, startChild, stopChild } from '../child-processes.ts';
import { findFreePort } from '../floor-processes.ts';

export interface Peer {
  readonly name: string;
  /** @param programs the folder that build-peers.mjs filled */
  readonly start: (programs: string, folder: string) => Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly smtpPort: number;
  readonly httpPort: number;
  stop(): Promise<void>;
}

const startMs = 20_000;

export const peers: readonly Peer[] = [
  {
    name: 'Inbucket, memory',
    start: (programs) =>
      startPeer(async (smtp, http) => ({
        program: path.join(programs, 'inbucket'),
        args: [],
        stdio: 'ignore',
        env: {
          INBUCKET_SMTP_ADDR: smtp,
          INBUCKET_WEB_ADDR: http,
          INBUCKET_POP3_ADDR: await freeAddress(),
          INBUCKET_STORAGE_TYPE: 'memory',
          INBUCKET_STORAGE_MAILBOXMSGCAP: '0',
          INBUCKET_LOGLEVEL: 'error',
        },
      })),
  },
  {
    name: 'Mailpit',
    start: (programs, folder) =>
      startPeer((smtp, http) => {
        mkdirSync(folder, { recursive: true });
        const database = path.join(folder, 'mailpit.db');
        return {
          program: path.join(programs, 'mailpit'),
          args: ['--quiet', '--smtp', smtp, '--listen', http, '--database', database, '--max', '0'],
          stdio: 'ignore',
        };
      }),
  },
];

async function startPeer(
  toCommand: (smtp: string, http: string) => Command | Promise<Command>,
): Promise<RunningPeer> {
  const [smtpPort, httpPort] = [await findFreePort(), await findFreePort()];
  const child = startChild(await toCommand(`127.0.0.1:${smtpPort}`, `127.0.0.1:${httpPort}`));
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  child.once('exit', (code) => (failure = new Error(`The peer ended with ${code ?? 'a signal'}.`)));
  const until = performance.now() + startMs;
  while (!(await greets(smtpPort))) {
    if (failure) throw failure;
    if (performance.now() > until) throw new Error('The peer did not start.');
    await delay(50);
  }
  return { smtpPort, httpPort, stop: () => stopChild(child) };
}

async function freeAddress(): Promise<string> {
  return `127.0.0.1:${await findFreePort()}`;
}

async function greets(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString().startsWith('220');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
