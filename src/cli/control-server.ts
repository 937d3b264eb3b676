// The running service's end of the control socket. Started by app.ts, which holds the data folder's lock: a socket
// file found there is a dead process's and is removed.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { relative } from 'node:path';

import type { Logger } from '../observe/logger.ts';
import {
  type ControlRequest,
  type ControlResponse,
  controlSocketPath,
  type ExecuteControl,
} from './control-protocol.ts';
import { readLine } from './read-line.ts';

const answerTimeoutMs = 60_000;

export interface ControlServer {
  close(): Promise<void>;
}

export interface ControlServerOptions {
  readonly dataDir: string;
  readonly execute: ExecuteControl;
  readonly log: Logger;
}

export async function createControlServer({
  dataDir,
  execute,
  log,
}: ControlServerOptions): Promise<ControlServer> {
  const path = controlSocketPath(dataDir);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.setTimeout(answerTimeoutMs, () => socket.destroy());
    answer(socket, execute).catch((error: unknown) => {
      log.error('control.failed', { error });
      socket.destroy();
    });
  });
  // Nobody else may connect in the moment before the mode is set.
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(shortest(path), resolve);
    });
  } finally {
    process.umask(mask);
  }
  chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

async function answer(socket: Socket, execute: ExecuteControl): Promise<void> {
  const response = await execute(JSON.parse(await readLine(socket)) as ControlRequest).catch(
    (error: unknown): ControlResponse => {
      socket.end(`${JSON.stringify({ ok: false, message: 'The service failed; its log says why.' })}\n`);
      throw error;
    },
  );
  socket.end(`${JSON.stringify(response)}\n`);
}

/** A socket's path is at most 107 bytes: the relative one is often the shorter. */
export function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
