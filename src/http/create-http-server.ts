// The HTTP interface: a listening Fastify with every operation, page and error answer on it. Made by app.ts. Fastify
// routes and reads bodies; parameters, answers and errors are ours (parameters/, operations/, error-answer.ts).

import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { fastify, type FastifyInstance, type FastifyListenOptions } from 'fastify';

import { addRoutes } from './add-routes.ts';
import { answerOnSocket, refuseConnect } from './connection-errors.ts';
import { createHttpCounts } from './http-counts.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { addBodyReaders } from './parameters/parse-body.ts';
import { addRequestChecks } from './request-checks.ts';
import { createRequestId } from './request-id.ts';
import { createSender, type Sender } from './send-answer.ts';
import { defaultTimeouts, headersMaxBytes } from './server-limits.ts';

export interface HttpServer {
  address(): { readonly host: string; readonly port: number };
  /** Every path served, sorted. */
  paths(): string[];
  /**
   * Stops accepting; requests under way are finished, further ones on open connections get 503. Resolves when the
   * last connection is gone, which the caller bounds.
   */
  close(): Promise<void>;
}

const idleSweepMs = 50;

/** What any listener is made from, whatever it serves. */
export type ListenerOptions = Pick<HttpServerOptions, 'settings' | 'log' | 'health' | 'timeouts' | 'metrics'>;

/** Puts routes on the server; returns their paths, each with its methods as an `Allow` field lists them. */
export type RouteAdder = (server: FastifyInstance, sender: Sender) => ReadonlyMap<string, string>;

/** Resolves when it listens. @throws Error when the address cannot be listened on */
export function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  return createListener(options, (server, sender) => addRoutes(server, options, sender));
}

/** As createHttpServer, with other routes. */
export async function createListener(options: ListenerOptions, add: RouteAdder): Promise<HttpServer> {
  const { settings, metrics = createMetrics() } = options;
  const state = { isClosing: false };
  const sender = createSender({ log: options.log, health: options.health, isClosing: () => state.isClosing });
  const server = createFastify(options, metrics, sender);
  addBodyReaders(server);
  const paths = add(server, sender);
  const isClosing = (): boolean => state.isClosing;
  const count = createHttpCounts(metrics);
  addRequestChecks(server, { settings, paths, sender, log: options.log, isClosing, count });
  const fresh = trackFreshSockets(server.server);
  metrics.registry.onCollect(() => {
    metrics.httpOpen.of().value = fresh.count();
  });
  await server.listen(toListen(settings));
  const { address: host, port } = server.server.address() as AddressInfo;
  return {
    address: () => ({ host, port }),
    paths: () => [...paths.keys()].sort(),
    close: async () => {
      state.isClosing = true;
      const closed = server.close();
      // Connections fall idle one by one as their requests are answered; nobody else would close them then.
      const sweep = setInterval(() => {
        server.server.closeIdleConnections();
        fresh.closeUnused();
      }, idleSweepMs);
      try {
        await closed;
      } finally {
        clearInterval(sweep);
      }
    },
  };
}

/** Node goes by the descriptor before all else; the host keeps Fastify from opening another socket. */
function toListen({ host, port, socket }: HttpServerOptions['settings']): FastifyListenOptions {
  const inherited: FastifyListenOptions & { fd?: number } = { host: '127.0.0.1', port: 0 };
  if (socket === undefined) return { host, port };
  inherited.fd = socket;
  return inherited;
}

/**
 * Routes are added without schemas: parameters are parsed by tables of ours. Named here, or Fastify loads its own
 * compilers at every start, a hundred modules and 8 MB.
 */
const noCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

function refuseSchema(): never {
  throw new Error('A route has a schema, which nothing here compiles.');
}

function createFastify(
  { settings, log, timeouts = defaultTimeouts }: ListenerOptions,
  metrics: Metrics,
  sender: ReturnType<typeof createSender>,
): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: settings.bodyMaxBytes,
    genReqId: createRequestId,
    keepAliveTimeout: timeouts.keepAliveMs,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silenceMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: headersMaxBytes,
      // Checked by the host guard, which answers in JSON.
      requireHostHeader: false,
    },
    routerOptions: { querystringParser: () => ({}) },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noCompilers },
    clientErrorHandler: (error, socket) => {
      const status = answerOnSocket(error, socket);
      metrics.httpRejected.of().value += 1;
      log.debug('http.rejected', { status, cause: error.code });
    },
    frameworkErrors: (error, request, reply) => {
      sender.sendError(request, reply, error);
    },
  });
  server.server.on('connect', (_request, socket: Socket) => {
    const status = refuseConnect(socket);
    metrics.httpRejected.of().value += 1;
    log.debug('http.rejected', { status, cause: 'CONNECT' });
  });
  server.server.on('checkExpectation', (request, response) => {
    // Node would answer 417 without a body; a server may ignore what it does not understand (RFC 9110 §10.1.1).
    server.server.emit('request', request, response);
  });
  return server;
}

/** Connections on which nothing ever came: not idle in Node's eyes, but nothing is lost by closing them. */
function trackFreshSockets(server: Server): { closeUnused(): void; count(): number } {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    count: () => sockets.size,
    closeUnused: () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
