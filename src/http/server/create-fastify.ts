// Configures Fastify for every listener: request ids, errors, time-outs and connections. Called by
// create-http-server.ts.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

import { fastify, type FastifyInstance } from 'fastify';

import type { Logger } from '#telemetry/logger';
import { headersMaxBytes, type HttpTimeouts } from '#http-parts/server-limits';
import { MessageThatUpgrades, serveUpgrades } from '#http-parts/upgrades';
import type { Metrics } from '../../observe/metrics.ts';
import { answerOnSocket, refuseConnect } from './connection-errors.ts';
import type { HttpConnections } from '#http-parts/http-connections';
import type { HttpSettings } from './http-server-options.ts';
import { createRequestId } from '#http-parts/request-id';
import type { Sender } from '../answers/send-answer.ts';

/**
 * Routes have no schemas, because our own tables parse the parameters. Set explicitly, or Fastify loads its compilers
 * at every start: a hundred modules and 8 MB.
 */
const noCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

/** For one segment of a path, percent-encoded; some contain file names. */
const segmentMaxChars = 4096;

function refuseSchema(): never {
  throw new Error('A route has a schema, which is not supported.');
}

export interface FastifyParts {
  readonly settings: Pick<HttpSettings, 'bodyMaxBytes'>;
  readonly log: Logger;
  readonly timeouts: HttpTimeouts;
  readonly metrics: Metrics;
  readonly sender: Sender;
  readonly connections: HttpConnections;
  /** Whether WebSocket handshakes are passed to the routes; other offers to upgrade are always ignored. */
  readonly upgrades: boolean;
  /** Gives input that is not HTTP an answer of its own; returns false to leave it to the usual answer. */
  readonly answerMalformed?: ((error: Error, socket: Socket) => boolean) | undefined;
}

export function createFastify(parts: FastifyParts): FastifyInstance {
  const { settings, log, metrics, sender } = parts;
  const server = fastify({
    logger: false,
    bodyLimit: settings.bodyMaxBytes,
    genReqId: createRequestId,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: (handle) => createServerOf(parts, handle),
    routerOptions: { querystringParser: () => ({}), maxParamLength: segmentMaxChars },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noCompilers },
    clientErrorHandler: (error, socket) => {
      if (parts.answerMalformed?.(error, socket)) return;
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
    // Node would answer 417 without a body; a server may ignore unknown expectations (RFC 9110 §10.1.1).
    server.server.emit('request', request, response);
  });
  return server;
}

function createServerOf({ timeouts, connections, upgrades }: FastifyParts, handle: RequestListener): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    maxHeaderSize: headersMaxBytes,
    // The host guard checks it and answers in JSON.
    requireHostHeader: false,
    ...(upgrades ? { IncomingMessage: MessageThatUpgrades } : {}),
  });
  server.setTimeout(timeouts.silenceMs);
  connections.attach(server, handle);
  if (upgrades) serveUpgrades(server);
  return server;
}
