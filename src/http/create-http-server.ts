// The HTTP interface: a listening Fastify with every operation, page and error answer on it. Made by app.ts. Fastify
// routes and reads bodies; parameters, answers and errors are ours (parameters/, operations/, error-answer.ts).

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import type { FastifyInstance, FastifyListenOptions } from 'fastify';

import { addRoutes } from './add-routes.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './connections/connection-limits.ts';
import { HttpConnections } from './connections/http-connections.ts';
import { createUnreadAnswers } from './connections/unread-answers.ts';
import { createFastify, type FastifyParts } from './create-fastify.ts';
import { createHttpCounts } from './http-counts.ts';
import type { HttpServerOptions, HttpSettings } from './http-server-options.ts';
import { createClientAddressReader, createProxyCheck } from '../net/client-address.ts';
import { lookUpAll } from '../net/resolve-host.ts';
import { createMetrics } from '../observe/metrics.ts';
import { addBodyReaders } from './parameters/parse-body.ts';
import { addRequestChecks, type AdmitRequest } from './request-checks.ts';
import { createSender, type Sender, type SenderOptions } from './send-answer.ts';
import { defaultProgress, defaultTimeouts } from './server-limits.ts';

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
export interface ListenerOptions
  extends
    Pick<HttpServerOptions, 'settings' | 'log' | 'health' | 'timeouts' | 'metrics'>,
    Pick<FastifyParts, 'answerMalformed'>,
    Pick<SenderOptions, 'toErrorAnswer'> {
  /** Registers what reads bodies; parameters are read where it is absent. */
  readonly addBodyReaders?: (server: FastifyInstance) => void;
}

/** Puts routes on the server; returns their paths, each with its methods as an `Allow` field lists them. */
export type RouteAdder = (server: FastifyInstance, sender: Sender) => ReadonlyMap<string, string>;

/** Resolves when it listens. @throws Error when the address cannot be listened on */
export function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  return createListener(options, (server, sender) => addRoutes(server, options, sender));
}

/** As createHttpServer, with other routes. */
export async function createListener(options: ListenerOptions, add: RouteAdder): Promise<HttpServer> {
  const { settings, log, metrics = createMetrics(), timeouts = defaultTimeouts } = options;
  const state = { isClosing: false };
  const isClosing = (): boolean => state.isClosing;
  const limits = toLimits(settings);
  const isProxy = createProxyCheck(settings.trustedProxies ?? []);
  const progress = timeouts.progress ?? defaultProgress;
  const connections = new HttpConnections({ limits, progress, isProxy, metrics, log });
  const unread = createUnreadAnswers({ limits, metrics, makeRoom: () => connections.makeRoom() });
  const { answerMalformed, toErrorAnswer, health } = options;
  const sender = createSender({ log, health, isClosing, unread, toErrorAnswer });
  const server = createFastify({ settings, log, timeouts, metrics, sender, connections, answerMalformed });
  (options.addBodyReaders ?? addBodyReaders)(server);
  const paths = add(server, sender);
  const count = createHttpCounts(metrics, isProxy);
  const admit = createAdmission(settings, connections);
  addRequestChecks(server, { settings, paths, sender, log, isClosing, count, admit });
  // Several listeners may count into one figure.
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
      // Connections fall idle one by one as their requests are answered; nobody else would close them then.
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

/** `localhost` may be two addresses: the sockets of the others go to the same server. */
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
    // Where the machine has no such address, the first one has to do.
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
  { trustedProxies = [], proxyHeader = 'x-forwarded-for' }: HttpSettings,
  connections: HttpConnections,
): AdmitRequest {
  const readAddress = createClientAddressReader({ trustedProxies, proxyHeader });
  return ({ headers, raw }, { raw: response }) => {
    connections.admitRequest(raw, response, () =>
      readAddress(raw.socket.remoteAddress ?? '', headers[proxyHeader]?.toString()),
    );
  };
}

/** Node goes by the descriptor before all else; the host keeps Fastify from opening another socket. */
function toListen({ host, port, path, socket }: HttpServerOptions['settings']): FastifyListenOptions {
  // Its own even where processes share their listeners.
  if (path !== undefined) return { path, exclusive: true };
  const inherited: FastifyListenOptions & { fd?: number } = { host: '127.0.0.1', port: 0 };
  if (socket === undefined) return { host, port };
  inherited.fd = socket;
  return inherited;
}
