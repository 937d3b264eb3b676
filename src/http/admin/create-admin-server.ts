// Serves the operator's commands: on the operator's listener, along with its page and other pages for operators
// (`openPages`), on loopback by default; and on the socket in the data folder (serve-operator-socket.ts).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { CarriedPairs } from '#http-parts/body';
import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import type { OperatorContext } from '../../operator/command.ts';
import { Caller, createCallerSource } from '../caller.ts';
import { createListener, type HttpServer } from '../server/create-http-server.ts';
import type { Sender } from '../answers/send-answer.ts';
import { adminOperations } from './admin-operations.ts';
import { type AdminCall, type AdminGate, createAdminServing } from './serve-admin.ts';

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
  /** The operator's page: answers by path. */
  readonly page: ReadonlyMap<string, Answer>;
  /** Pages without a key, such as metrics, by path. */
  readonly openPages?: ReadonlyMap<string, () => Answer | Promise<Answer>>;
}

const bodyMaxBytes = 64 * 1024;
/** No proxies are trusted here: so a wrong key counts against the peer. */
const source = createCallerSource({});

/** Resolves when listening. @throws Error when it cannot listen on the address */
export function createAdminServer(options: AdminServerOptions): Promise<HttpServer> {
  const { log, health, gate, page, openPages } = options;
  const settings = { ...options.settings, basePath: '', publicUrl: '', corsOrigins: [], bodyMaxBytes };
  return createListener({ settings, log, health }, (server, sender) => {
    const routes = new RouteTable(server, sender);
    for (const operation of adminOperations) {
      const serve = createAdminServing(operation, options, gate);
      routes.add(operation.method, operation.path, (request, reply) => serve(toCall(request, reply)));
    }
    for (const [path, answer] of page) routes.add('GET', path, () => answer);
    for (const [path, answer] of openPages ?? []) routes.add('GET', path, answer);
    return routes.paths;
  });
}

export function toCall(request: FastifyRequest, reply: FastifyReply): AdminCall {
  return {
    url: request.raw.url ?? '',
    body: (request.body as CarriedPairs | undefined) ?? [],
    authorization: request.headers.authorization,
    caller: new Caller(request, reply, source),
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
