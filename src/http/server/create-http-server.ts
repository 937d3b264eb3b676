// The HTTP interface: a listening Fastify with all operations, pages and error answers. Fastify routes requests and
// reads bodies; parameters, answers and errors are our own (parameters/, operations/, error-answer.ts).

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import type { FastifyInstance, FastifyListenOptions } from 'fastify';

import { createClientAddressReader, createProxyCheck } from '#networks/client-address';
import { plainAddress } from '#networks/client-network';
import { lookUpAll } from '#networks/resolve-host';
import type { Logger } from '#telemetry/logger';
import { defaultProgress, defaultTimeouts } from '#http-parts/server-limits';
import { addRoutes } from './add-routes.ts';
import { type ConnectionLimits, defaultConnectionLimits } from '#http-parts/connection-limits';
import type { HttpConnections } from '#http-parts/http-connections';
import { createConnections, tooManyConnections } from '../connections/create-connections.ts';
import { createUnreadAnswers } from '../connections/unread-answers.ts';
import { createFastify, type FastifyParts } from './create-fastify.ts';
import { createHttpCounts } from './http-counts.ts';
import { visitHeader } from '../../service/operating/page-visits.ts';
import type { HttpServerOptions, HttpSettings } from './http-server-options.ts';
import { createMetrics, type Metrics } from '../../observe/metrics.ts';
import { addBodyReaders } from '../parameters/parse-body.ts';
import { addRequestChecks, type AdmitRequest } from '../guards/request-checks.ts';
import { errorAnswer } from '../answers/error-answer.ts';
import { answerLost } from '../docs/lost-page.ts';
import { createSender, type Sender, type SenderOptions } from '../answers/send-answer.ts';
import { createEncryption } from '#certificates/encrypt-connection';
import { hstsHeaders } from '#http-parts/hsts';

export interface HttpServer {
  address(): { readonly host: string; readonly port: number };
  /** Returns every path served, sorted. */
  paths(): string[];
  /**
   * Stops accepting. Requests in progress are finished; later ones on open connections get 503. Resolves when the last
   * connection is gone; the caller bounds the wait.
   */
  close(): Promise<void>;
}

const idleSweepMs = 50;

/** The options of any listener. */
export interface ListenerOptions
  extends
    Pick<HttpServerOptions, 'settings' | 'log' | 'health' | 'timeouts' | 'metrics' | 'https' | 'visits'>,
    Pick<FastifyParts, 'answerMalformed'>,
    Pick<SenderOptions, 'toErrorAnswer'> {
  /** Registers body parsers; those for parameters when absent. */
  readonly addBodyReaders?: (server: FastifyInstance) => void;
  /** Whether a path that is served in a cleaner form is redirected there; not when absent. */
  readonly cleansPaths?: boolean;
  /** Whether WebSocket handshakes are passed to the routes; not when absent. */
  readonly upgrades?: boolean;
}

/** Registers routes; returns their paths, each with its methods as for an `Allow` field. */
export type RouteAdder = (server: FastifyInstance, sender: Sender) => ReadonlyMap<string, string>;

/** Resolves when listening. @throws Error when it cannot listen on the address */
export function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { webApp, settings } = options;
  const toErrorAnswer: SenderOptions['toErrorAnswer'] = (error, request) =>
    (webApp && answerLost(error, request, settings.basePath)) ?? errorAnswer(error, request.id);
  return createListener({ ...options, toErrorAnswer }, (server, sender) =>
    addRoutes(server, options, sender),
  );
}

/** Like createHttpServer, with other routes. */
export async function createListener(options: ListenerOptions, add: RouteAdder): Promise<HttpServer> {
  const { settings, log, metrics = createMetrics(), timeouts = defaultTimeouts } = options;
  const state = { isClosing: false };
  const isClosing = (): boolean => state.isClosing;
  const limits = toLimits(settings);
  const isProxy = createProxyCheck(settings.trustedProxies ?? []);
  const progress = timeouts.progress ?? defaultProgress;
  const encrypt = options.https && createEncryption(options.https, noteHandshake(metrics, log));
  const connections = createConnections({ limits, progress, isProxy, metrics, log, encrypt });
  const unread = createUnreadAnswers({ limits, metrics, makeRoom: () => connections.makeRoom() });
  const { answerMalformed, toErrorAnswer, health, upgrades = false } = options;
  const headers = options.https && hstsHeaders(settings.publicUrl);
  const sender = createSender({ log, health, isClosing, unread, toErrorAnswer, headers });
  const server = createFastify({
    settings,
    log,
    timeouts,
    metrics,
    sender,
    connections,
    answerMalformed,
    upgrades,
  });
  (options.addBodyReaders ?? addBodyReaders)(server);
  const paths = add(server, sender);
  const count = createHttpCounts(metrics, isProxy);
  const admit = createAdmission(options, { connections, isProxy });
  const { cleansPaths = false } = options;
  addRequestChecks(server, { settings, paths, sender, log, isClosing, count, admit, cleansPaths });
  // Several listeners may add to one metric.
  let counted = 0;
  metrics.registry.onCollect(() => {
    metrics.httpOpen.of().value += connections.count - counted;
    counted = connections.count;
  });
  await server.listen(toListen(settings));
  const others = await listenOnOthers(server.server, settings);
  const address = toAddress(server.server.address());
  return {
    address: () => address,
    paths: () => [...paths.keys()].sort(),
    close: async () => {
      state.isClosing = true;
      const closed = Promise.all([server.close(), ...others.map(closeServer)]);
      // Connections become idle one by one as their requests are answered; nothing else would close them.
      const sweep = setInterval(() => {
        server.server.closeIdleConnections();
        connections.closeUnused();
      }, idleSweepMs);
      try {
        await closed;
      } finally {
        clearInterval(sweep);
        connections.close();
      }
    },
  };
}

/** Returns what counts failed handshakes. */
function noteHandshake(metrics: Metrics, log: Logger): (code: string) => void {
  return (code) => {
    metrics.httpRejected.of().value += 1;
    log.debug('http.rejected', { cause: code });
  };
}

/** `localhost` may have two addresses: also listens on the others. */
async function listenOnOthers(
  main: Server,
  { host, socket }: HttpServerOptions['settings'],
): Promise<Server[]> {
  if (host !== 'localhost' || socket !== undefined) return [];
  const { address: first, port } = main.address() as AddressInfo;
  const others: Server[] = [];
  for (const address of await lookUpAll(host)) {
    if (address === first) continue;
    const other = createServer((connection) => main.emit('connection', connection));
    other.listen(port, address);
    // If the machine lacks that address, the first one has to suffice.
    await once(other, 'listening').then(
      () => others.push(other),
      () => other.close(),
    );
  }
  return others;
}

/** A socket in the file system has no port. */
function toAddress(address: AddressInfo | string | null): ReturnType<HttpServer['address']> {
  return typeof address === 'object' && address
    ? { host: address.address, port: address.port }
    : { host: address ?? '', port: 0 };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

function toLimits(settings: HttpSettings): ConnectionLimits {
  const { connectionsMax, connectionsPerAddressMax, unreadMaxBytes } = defaultConnectionLimits;
  return {
    connectionsMax: settings.connectionsMax ?? connectionsMax,
    connectionsPerAddressMax: settings.connectionsPerAddressMax ?? connectionsPerAddressMax,
    unreadMaxBytes: settings.unreadMaxBytes ?? unreadMaxBytes,
  };
}

function createAdmission(
  { settings, visits }: Pick<ListenerOptions, 'settings' | 'visits'>,
  { connections, isProxy }: { connections: HttpConnections; isProxy: (peer: string) => boolean },
): AdmitRequest {
  const { trustedProxies = [], proxyHeader = 'x-forwarded-for' } = settings;
  const readAddress = createClientAddressReader({ trustedProxies, proxyHeader });
  return ({ headers, raw }, { raw: response }) => {
    const visit = headers[visitHeader];
    if (visits && typeof visit === 'string') {
      const peer = plainAddress(raw.socket.remoteAddress ?? '');
      visits.note(visit, {
        peer,
        isPeerTrusted: isProxy(peer),
        hasField: headers[proxyHeader] !== undefined,
      });
    }
    const isAdmitted = connections.admitRequest(raw, response, () =>
      readAddress(raw.socket.remoteAddress ?? '', headers[proxyHeader]?.toString()),
    );
    if (!isAdmitted) throw tooManyConnections();
  };
}

/** Node prefers the descriptor; naming the host keeps Fastify from opening a second socket. */
function toListen({ host, port, path, socket }: HttpServerOptions['settings']): FastifyListenOptions {
  // Not shared, even when processes share their listeners.
  if (path !== undefined) return { path, exclusive: true };
  const inherited: FastifyListenOptions & { fd?: number } = { host: '127.0.0.1', port: 0 };
  if (socket === undefined) return { host, port };
  inherited.fd = socket;
  return inherited;
}
