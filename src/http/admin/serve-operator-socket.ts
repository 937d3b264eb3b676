// Serves the operator's commands on the socket in the data folder, which only its owner can open, so that the command
// line needs no key. The caller holds the folder's lock: an existing socket is left from a dead process and removed.

import { chmodSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';

import type { FastifyReply } from 'fastify';

import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import { defaultTimeouts } from '#http-parts/server-limits';
import type { OperatorContext } from '../../operator/command.ts';
import { operatorCommands } from '../../operator/commands.ts';
import { operatorSocketPath, otherVersion } from '../../operator/operator-socket.ts';
import { createListener, type HttpServer } from '../server/create-http-server.ts';
import { RouteTable, toCall } from './route-table.ts';
import { createLocalServing } from './serve-admin.ts';

export interface OperatorSocketOptions extends OperatorContext {
  readonly dataDir: string;
  readonly log: Logger;
  /** Shorter in tests. */
  readonly aliveEveryMs?: number;
}

const limits = { bodyMaxBytes: 1024 * 1024, connectionsMax: 256, connectionsPerAddressMax: Infinity };
const timeouts = { ...defaultTimeouts, silenceMs: 60_000 };
/** A long-running command sends an interim response this often, so that neither end gives up the connection. */
const defaultAliveMs = 5000;

/** @throws Error when the socket cannot be made, for example because its path is too long */
export async function serveOperatorSocket(options: OperatorSocketOptions): Promise<HttpServer> {
  const { dataDir, log, health, aliveEveryMs = defaultAliveMs } = options;
  const path = operatorSocketPath(dataDir);
  const settings = {
    host: '127.0.0.1',
    port: 0,
    path,
    hosts: [],
    basePath: '',
    publicUrl: '',
    corsOrigins: [],
    ...limits,
  };
  rmSync(path, { force: true });
  // Keep other users from connecting before the mode is set.
  const mask = process.umask(0o077);
  try {
    const server = await createListener(
      { settings, log, health, timeouts, answerMalformed: answerOldCommandLine },
      (fastify, sender) => {
        const routes = new RouteTable(fastify, sender);
        for (const command of operatorCommands) {
          const serve = createLocalServing(command, options);
          routes.add(command.method, command.path, (request, reply) =>
            keepAlive({ reply, aliveEveryMs }, () => serve(toCall(request, reply))),
          );
        }
        return routes.paths;
      },
    );
    chmodSync(path, 0o600);
    return server;
  } finally {
    process.umask(mask);
  }
}

/** Sends status 102 before the answer, which clients skip (RFC 9110 §15.2). */
async function keepAlive(
  { reply, aliveEveryMs }: { readonly reply: FastifyReply; readonly aliveEveryMs: number },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const alive = setInterval(() => {
    reply.raw.writeProcessing();
  }, aliveEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}

/** Before 0.2 the command line sent and expected a line of JSON. Returns false for anything else. */
function answerOldCommandLine(error: Error, socket: Socket): boolean {
  const { rawPacket } = error as { rawPacket?: Buffer };
  if (rawPacket?.[0] !== '{'.charCodeAt(0)) return false;
  socket.end(`${JSON.stringify({ ok: false, message: otherVersion })}\n`);
  return true;
}
