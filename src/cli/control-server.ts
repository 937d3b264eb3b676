// The running service's end of the control socket. Started by app.ts, which holds the data folder's lock: a socket
// file found there is a dead process's and is removed.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';

import type { Logger } from '../observe/logger.ts';
import {
  type ControlResponse,
  controlSocketPath,
  type ExecuteControl,
  parseControlRequest,
} from './control-protocol.ts';
import { readLine } from './read-line.ts';

const answerTimeoutMs = 60_000;
/** A blank before the answer, which JSON allows, so often: a long command is no dead connection. */
const aliveEveryMs = 5000;

export interface ControlServer {
  /** Commands under way are answered; connections that have asked nothing yet are cut. */
  close(): Promise<void>;
}

export interface ControlServerOptions {
  readonly dataDir: string;
  readonly execute: ExecuteControl;
  readonly log: Logger;
}

/** @throws Error when the socket cannot be made, e.g. for a path that is too long */
export async function createControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { dataDir, log } = options;
  const silent = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(answerTimeoutMs, () => socket.destroy());
    silent.add(socket);
    readLine(socket)
      .finally(() => silent.delete(socket))
      .then((line) => {
        const alive = setInterval(() => socket.write(' '), aliveEveryMs);
        return answer(line, options).finally(() => {
          clearInterval(alive);
        });
      })
      .then(
        (response) => socket.end(`${JSON.stringify(response)}\n`),
        (error: unknown) => {
          log.warn('control.broken_off', { error });
          socket.destroy();
        },
      );
  });
  await listen(server, controlSocketPath(dataDir));
  server.on('error', (error) => {
    log.error('control.failed', { error });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of silent) socket.destroy();
      }),
  };
}

async function listen(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  // Nobody else may connect in the moment before the mode is set.
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } finally {
    process.umask(mask);
  }
  chmodSync(path, 0o600);
}

async function answer(line: string, { execute, log }: ControlServerOptions): Promise<ControlResponse> {
  const request = parseControlRequest(line);
  if (!request) {
    return {
      ok: false,
      message: 'The running service does not know the command; is it of another version?',
    };
  }
  try {
    return await execute(request);
  } catch (error) {
    log.error('control.failed', { error });
    return { ok: false, message: 'The service failed; its log says why.' };
  }
}
