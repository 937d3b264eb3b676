// Serves the operator's commands: on the operator's listener, along with its page and other pages for operators
// (`openPages`), on loopback by default; and on the socket in the data folder (serve-operator-socket.ts).

import { randomBytes } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { CarriedPairs } from '#http-parts/body';
import { decodeText } from '#http-parts/urlencoded';
import type { LogFeed } from '#telemetry/log-feed';
import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import type { OperatorContext } from '../../operator/command.ts';
import { Caller, createCallerSource } from '../caller.ts';
import { createListener, type HttpServer } from '../server/create-http-server.ts';
import type { Sender } from '../answers/send-answer.ts';
import { logStream } from '../../operator/log.ts';
import { userHeader } from '../../operator/operator-socket.ts';
import { adminOperations } from './admin-operations.ts';
import { type AdminCall, type AdminGate, createAdminServing, requireScope } from './serve-admin.ts';
import { createLogStreams } from './stream-log.ts';

export interface AdminSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** As for the main listener. */
  readonly hosts: readonly string[];
}

export interface AdminServerOptions extends OperatorContext {
  readonly settings: AdminSettings;
  readonly gate: AdminGate;
  readonly log: Logger;
  readonly logFeed: LogFeed;
  /** The operator's page: answers by path. */
  readonly page: ReadonlyMap<string, Answer>;
  /** Pages without a key, such as metrics, by path. */
  readonly openPages?: ReadonlyMap<string, () => Answer | Promise<Answer>>;
}

const bodyMaxBytes = 64 * 1024;
/** No proxies are trusted here: so a wrong key counts against the peer. */
const source = createCallerSource({});

/** Resolves when listening. @throws Error when it cannot listen on the address */
export async function createAdminServer(options: AdminServerOptions): Promise<HttpServer> {
  const { log, logFeed, health, gate, page, openPages } = options;
  const streams = createLogStreams(logFeed, randomBytes(6).toString('hex'));
  const settings = { ...options.settings, basePath: '', publicUrl: '', corsOrigins: [], bodyMaxBytes };
  const listener = await createListener({ settings, log, health }, (server, sender) => {
    const routes = new RouteTable(server, sender);
    for (const operation of adminOperations) {
      const serve = createAdminServing(operation, options, gate);
      routes.add(operation.method, operation.path, (request, reply) => serve(toCall(request, reply)));
    }
    routes.add(logStream.method, logStream.path, (request, reply) => {
      const call = toCall(request, reply);
      const { id } = requireScope(logStream, gate, call);
      return streams.open({
        url: call.url,
        lastEventId: request.headers['last-event-id']?.toString(),
        isAllowed: () => gate.keyring.isInForce(id),
      });
    });
    for (const [path, answer] of page) routes.add('GET', path, () => answer);
    for (const [path, answer] of openPages ?? []) routes.add('GET', path, answer);
    return routes.paths;
  });
  return {
    ...listener,
    close: () => {
      // Nothing else would end them.
      streams.close();
      return listener.close();
    },
  };
}

export function toCall(request: FastifyRequest, reply: FastifyReply): AdminCall {
  return {
    url: request.raw.url ?? '',
    body: (request.body as CarriedPairs | undefined) ?? [],
    authorization: request.headers.authorization,
    caller: new Caller(request, reply, source),
    user: decodeText(request.headers[userHeader]?.toString() ?? ''),
  };
}

type Serve = (request: FastifyRequest, reply: FastifyReply) => Answer | Promise<Answer>;

export class RouteTable {
  /** Methods by path, as for an `Allow` field. */
  readonly paths = new Map<string, string>();
  readonly #server: FastifyInstance;
  readonly #sender: Sender;

  constructor(server: FastifyInstance, sender: Sender) {
    this.#server = server;
    this.#sender = sender;
  }

  add(method: 'GET' | 'POST', path: string, serve: Serve): void {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      try {
        this.#sender.send(request, reply, await serve(request, reply));
      } catch (error) {
        this.#sender.sendError(request, reply, error);
      }
    };
    this.#server.route({
      method: methods,
      url: path,
      handler: (request, reply) => {
        void answer(request, reply);
      },
    });
    this.paths.set(path, [...methods, 'OPTIONS'].join(', '));
  }
}
