// Registers operations and fixed pages on the server, HEAD along with GET. Called once by create-http-server.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from '#http-parts/answer';
import type { CarriedPairs } from '#http-parts/body';
import { Caller, createCallerSource } from '../caller.ts';
import { describeFault } from '../answers/error-answer.ts';
import { addFileRoutes, takesFile } from './file-routes.ts';
import { createFixedPages } from './fixed-pages.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { addInboundRoute } from './inbound-route.ts';
import type { OperationContext } from '../operation.ts';
import { createOperations } from '../operations/create-operations.ts';
import { createDescribeUnknown } from '../parameters/parameter-warnings.ts';
import { createServing } from './serve-operation.ts';
import type { Sender } from '../answers/send-answer.ts';
import { answerMtaSts, mtaStsPath } from '#http-parts/mta-sts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** Returns the paths served, each with its methods in the form of an `Allow` field. */
export function addRoutes(
  server: FastifyInstance,
  options: HttpServerOptions,
  sender: Sender,
): ReadonlyMap<string, string> {
  const { basePath, publicUrl } = options.settings;
  const paths = new Map<string, string>();

  function add(method: 'GET' | 'POST', path: string, handler: Handler): void {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    server.route({ method: methods, url: path, handler });
    paths.set(path, [...methods, 'OPTIONS'].join(', '));
  }

  const context = toContext(options);
  const source = createCallerSource(options.settings);
  const operations = createOperations(options.services.limits, options.services.pushKey !== null);
  const describeUnknown = createDescribeUnknown(operations);
  addFileRoutes(operations, { server, sender, context, source, paths });
  for (const operation of operations) {
    if (takesFile(operation)) continue;
    const serve = createServing(operation, context, describeUnknown);
    add(operation.method, basePath + operation.path, (request, reply) => {
      const { authorization, 'if-none-match': ifNoneMatch } = request.headers;
      const lastEventId = request.headers['last-event-id']?.toString();
      const body = (request.body as CarriedPairs | undefined) ?? [];
      const caller = new Caller(request, reply, source);
      const isHead = request.method === 'HEAD';
      serve({ url: request.raw.url ?? '', body, authorization, ifNoneMatch, lastEventId, caller, isHead })
        .then((answer) => {
          sender.send(request, reply, answer, caller);
        })
        .catch((error: unknown) => {
          sender.sendError(request, reply, error);
        });
    });
  }
  const pages = createFixedPages({
    operations,
    version: options.version,
    basePath,
    publicUrl,
    webApp: options.webApp,
  });
  for (const [path, answer] of pages) {
    add('GET', basePath + path, (request, reply) => {
      sendPage(sender, { request, reply }, answer(request.headers));
    });
  }
  if (options.mtaSts) {
    const policy = answerMtaSts(options.mtaSts);
    // At the root, whatever the base path.
    add('GET', mtaStsPath, (request, reply) => {
      sender.send(request, reply, policy);
    });
  }
  if (options.inbound) addInboundRoute(server, { door: options.inbound, source, sender, basePath, paths });
  return paths;
}

/** One that is generated comes later. */
function sendPage(
  sender: Sender,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: Answer | Promise<Answer>,
): void {
  if (!(answer instanceof Promise)) {
    sender.send(request, reply, answer);
    return;
  }
  answer
    .then((made) => {
      sender.send(request, reply, made);
    })
    .catch((error: unknown) => {
      sender.sendError(request, reply, error);
    });
}

function toContext({
  services,
  receiving,
  messageMaxBytes,
  settings,
  health,
  access,
  version,
  smtp,
  metrics,
  log,
}: HttpServerOptions): OperationContext {
  return {
    services,
    receiving,
    messageMaxBytes,
    health,
    version,
    smtp,
    basePath: settings.basePath,
    access,
    onEvent: (seconds) => {
      metrics?.eventSeconds.observe(seconds);
    },
    onFault: (error) => {
      log.error('http.stream_failed', { ...describeFault(error) });
    },
  };
}
