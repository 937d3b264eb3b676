// The operator's listener: the admin interface, a small page on it, and what else is for operators (`openPages`). Made
// by app.ts, on loopback unless the operator says otherwise.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { createClientAddressReader } from '../../net/client-address.ts';
import type { Logger } from '../../observe/logger.ts';
import type { OperatorDeps } from '../../service/operator-deps.ts';
import type { Answer } from '../answer.ts';
import { Caller } from '../caller.ts';
import { createListener, type HttpServer } from '../create-http-server.ts';
import type { Health } from '../operation.ts';
import type { CarriedPairs } from '../parameters/given-parameters.ts';
import type { Sender } from '../send-answer.ts';
import { adminOperations } from './admin-operations.ts';
import { adminPages } from './admin-page.ts';
import { type AdminGate, createAdminServing } from './serve-admin.ts';

export interface AdminSettings {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** As for the main listener. */
  readonly hosts: readonly string[];
}

export interface AdminServerOptions {
  readonly settings: AdminSettings;
  readonly operator: OperatorDeps;
  readonly gate: AdminGate;
  readonly log: Logger;
  readonly health: Health;
  readonly version: string;
  /** Path → its answer, for whoever reaches the listener: metrics. */
  readonly openPages?: ReadonlyMap<string, () => Answer | Promise<Answer>>;
}

const bodyMaxBytes = 64 * 1024;
/** No proxies are believed here: a wrong key counts against whoever connects. */
const source = {
  readAddress: createClientAddressReader({ trustedProxies: [], proxyHeader: 'x-forwarded-for' }),
  proxyHeader: 'x-forwarded-for',
};

/** Resolves when it listens. @throws Error when the address cannot be listened on */
export function createAdminServer(options: AdminServerOptions): Promise<HttpServer> {
  const { log, health } = options;
  const settings = { ...options.settings, basePath: '', publicUrl: '', corsOrigins: [], bodyMaxBytes };
  return createListener({ settings, log, health }, (server, sender) =>
    addAdminRoutes(server, options, sender),
  );
}

type Serve = (request: FastifyRequest, reply: FastifyReply) => Answer | Promise<Answer>;

function addAdminRoutes(
  server: FastifyInstance,
  { operator, gate, health, version, openPages = new Map() }: AdminServerOptions,
  sender: Sender,
): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();

  function add(method: 'GET' | 'POST', path: string, serve: Serve): void {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      try {
        sender.send(request, reply, await serve(request, reply));
      } catch (error) {
        sender.sendError(request, reply, error);
      }
    };
    server.route({
      method: methods,
      url: path,
      handler: (request, reply) => {
        void answer(request, reply);
      },
    });
    paths.set(path, [...methods, 'OPTIONS'].join(', '));
  }

  for (const operation of adminOperations) {
    const serve = createAdminServing(operation, { operator, health, version }, gate);
    add(operation.method, operation.path, (request, reply) =>
      serve({
        url: request.raw.url ?? '',
        body: (request.body as CarriedPairs | undefined) ?? [],
        authorization: request.headers.authorization,
        caller: new Caller(request, reply, source),
      }),
    );
  }
  for (const [path, answer] of adminPages) add('GET', path, () => answer);
  for (const [path, answer] of openPages) add('GET', path, answer);
  return paths;
}
