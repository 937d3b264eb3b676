// The two floors: Postfix's smtp-sink, which answers and discards, and the bare HTTP server.
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { readFirstLine, startChild, stopChild } from './child-processes.ts';
import type { FixedAnswer } from './fixed-answer.ts';

export interface Floor {
  readonly port: number;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

const sinkBacklog = 1000;

/** @throws Error when smtp-sink is not installed or does not answer */
export async function startSmtpSink(): Promise<Floor> {
  const port = await findFreePort();
  // It requires a user to change to when run as root, and refuses one otherwise.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = startChild({
    program: 'smtp-sink',
    args: [...user, `127.0.0.1:${port}`, String(sinkBacklog)],
    stdio: 'ignore',
  });
  let failure: Error | undefined;
  child.once('error', () => {
    failure = new Error(
      'smtp-sink cannot be started: `npm run test:setup` installs it (Debian package postfix)',
    );
  });
  child.once('exit', (code) => {
    failure = new Error(`smtp-sink ended with ${code ?? 'a signal'}`);
  });
  while (!(await answers(port))) {
    if (failure) throw failure;
    await delay(20);
  }
  return { port, pid: child.pid ?? 0, stop: () => stopChild(child) };
}

/** @param answers the answer for each path */
export async function startBareServer(answers: Readonly<Record<string, FixedAnswer>>): Promise<Floor> {
  const file = fileURLToPath(new URL('./bare-http-server.js', import.meta.url));
  const child = startChild({ program: process.execPath, args: [file], stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin?.write(`${JSON.stringify(answers)}\n`);
  const ready = await readFirstLine(child, 'the bare HTTP server');
  return { port: Number(ready.split(' ')[1]), pid: child.pid ?? 0, stop: () => stopChild(child) };
}

export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
