// The test's own HAProxy in front of one or more ports: for TCP with a PROXY header for the server, or for HTTP.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { freePort } from './free-port.ts';

interface Front {
  readonly mode: 'tcp' | 'http';
  readonly behind: readonly number[];
  /** Follows the server's address. */
  readonly options: string;
}

function configuration(port: number, { mode, behind, options }: Front): string {
  return [
    // Without it, a stream would stay open until the next event after its client has left.
    ...[
      'defaults',
      ...(mode === 'http' ? ['option abortonclose'] : []),
      `mode ${mode}`,
      'timeout connect 5s',
      'timeout client 60s',
      'timeout server 60s',
    ],
    ...['listen mayfly', `bind 127.0.0.1:${port}`],
    ...behind.map((each, at) => `server mayfly${at} 127.0.0.1:${each} ${options}`),
    '',
  ].join('\n');
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
    socket.destroy();
    if (isThere) return;
    await delay(25);
  }
  throw new Error('haproxy does not listen');
}

/** @returns the port it listens on. Ended by its process id with the test. */
export function startHaproxy(behind: number, header: 'send-proxy' | 'send-proxy-v2'): Promise<number> {
  return start({ mode: 'tcp', behind: [behind], options: header });
}

/** Like `startHaproxy`; it parses HTTP. */
export function startHttpHaproxy(behind: number): Promise<number> {
  return start({ mode: 'http', behind: [behind], options: '' });
}

/**
 * Balances over several servers, of which those that respond take turns: a lost node is detected within half a second.
 */
export function startHaproxyOver(ports: readonly number[], mode: 'smtp' | 'http'): Promise<number> {
  const check = 'check inter 200 fall 1 rise 1 on-marked-down shutdown-sessions';
  return mode === 'http'
    ? start({ mode: 'http', behind: ports, options: check })
    : start({ mode: 'tcp', behind: ports, options: `send-proxy-v2 check-send-proxy ${check}` });
}

async function start(front: Front): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  const port = await freePort();
  await writeFile(file, configuration(port, front));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  });
  await untilListening(port, child);
  return port;
}
