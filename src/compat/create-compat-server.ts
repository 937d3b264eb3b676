// The listener for other services' dialects, at its root and separate from Mayfly's own interface, which keeps PUT,
// PATCH and DELETE, Basic credentials and senders' raw markup away from the page.

import { createPathFinder } from '#http-parts/paths';
import type { MayflyError } from '../domain/mayfly-error.ts';
import { createCallerSource } from '../http/caller.ts';
import type { Access } from '../http/access/access.ts';
import { RequestRate } from '../http/access/request-rates.ts';
import {
  createListener,
  type HttpServer,
  type ListenerOptions,
  type RouteAdder,
} from '../http/server/create-http-server.ts';
import { addRoutes } from '../http/server/add-routes.ts';
import { answerLost } from '../http/docs/lost-page.ts';
import { LargeBodies } from '../http/server/large-bodies.ts';
import { errorAnswer, type ErrorAnswer } from '../http/answers/error-answer.ts';
import type { HttpServerOptions } from '../http/server/http-server-options.ts';
import { addBodyReaders } from '../http/parameters/parse-body.ts';
import type { Sender } from '../http/answers/send-answer.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import { type CallParts, HttpCompatCall, type HttpReply, type Request } from './compat-calls.ts';
import { type CompatContext, type CompatRoute, type Dialect, publicRoute } from './dialect.ts';
import { dialects } from './dialects.ts';
import { createSearchTurns } from './mailhog/list-routes.ts';
import { createMessageComposer } from './senders/message-composer.ts';
import type { Answer } from '#http-parts/answer';

export interface CompatSettings extends Omit<
  ListenerOptions['settings'],
  'basePath' | 'corsOrigins' | 'bodyMaxBytes' | 'isOpen'
> {
  /** Per session; Infinity for no limit. */
  readonly requestsPerMinute: number;
}

export interface CompatServerOptions
  extends Omit<CompatContext, 'composer' | 'mailhogSearches'>, Pick<ListenerOptions, 'timeouts' | 'metrics'> {
  readonly settings: CompatSettings;
  /** The session for requests without credentials; they are required when absent. */
  readonly defaultSession: (() => Promise<LiveSession>) | undefined;
  /** The session for Basic credentials without a token; they are wrong when absent. */
  readonly sessionByName: CallParts['sessionByName'];
  /** Mayfly's own interface and page, if they are on this listener too, below their base path. */
  readonly own: OwnInterface | undefined;
}

export interface OwnInterface {
  readonly http: HttpServerOptions;
  /** Resolves with the address to which the root leads people. */
  readonly home: () => Promise<string>;
}

/** The default for routes. */
const bodyMaxBytes = 256 * 1024;

type AddedRoute = CompatRoute & { readonly dialect: Dialect };

/** Resolves when listening. @throws Error when it cannot listen on the address */
export async function createCompatServer(options: CompatServerOptions): Promise<HttpServer> {
  const { log, health, timeouts, metrics, access, services, defaultSession, sessionByName, own } = options;
  const { requestsPerMinute } = options.settings;
  const isOpen = (defaultSession ?? sessionByName) !== undefined;
  const settings = {
    ...options.settings,
    basePath: '',
    publicUrl: '',
    corsOrigins: [],
    bodyMaxBytes,
    isOpen,
  };
  const source = createCallerSource(options.settings);
  const largeBodies = new LargeBodies();
  const ofCompat = toCompatAccess(access, requestsPerMinute);
  const parts = { services, source, defaultSession, sessionByName, largeBodies, access: ofCompat };
  const composer = createMessageComposer();
  const context: CompatContext = {
    ...options,
    composer,
    access: ofCompat,
    mailhogSearches: createSearchTurns(),
  };
  const home = own && publicRoute('GET /', 'the page', async () => toHomePage(await own.home()));
  const routes = dialects.flatMap((dialect) =>
    dialect.routes.map((route) => {
      const isHome = route.path === '/' && route.method === 'GET';
      return { ...(isHome ? (home ?? route) : route), dialect };
    }),
  );
  const toErrorAnswer = formatErrors(routes, own);
  const server = await createListener(
    {
      settings,
      log,
      health,
      toErrorAnswer,
      addBodyReaders: readBytes,
      cleansPaths: true,
      upgrades: true,
      ...(timeouts ? { timeouts } : {}),
      ...(metrics ? { metrics } : {}),
    },
    (server, sender) => {
      for (const route of routes) addRoute(route, { server, sender, parts, context });
      const paths = toAllowed(routes);
      if (own) addOwn(own.http, { server, sender, paths });
      return paths;
    },
  );
  return {
    ...server,
    close: async () => {
      await server.close();
      await Promise.all([composer.close(), options.senderEvents?.close()]);
    },
  };
}

/** Errors take the form of the dialect whose path was asked for. */
function formatErrors(routes: readonly AddedRoute[], own: OwnInterface | undefined) {
  const byPath = routes.map(({ path, dialect }) => [path, dialect] as const).reverse();
  const findOwner = createPathFinder(new Map(byPath));
  // The root is of two dialects.
  const byEndpoint = new Map(routes.map(({ method, path, dialect }) => [`${method} ${path}`, dialect]));
  return (error: MayflyError, request: Request): ErrorAnswer => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
    const lost = own?.http.webApp && answerLost(error, request, own.http.settings.basePath);
    if (lost) return lost;
    if (own && `${path}/`.startsWith(`${own.http.settings.basePath}/`)) return errorAnswer(error, request.id);
    const route = request.is404 ? undefined : request.routeOptions.url;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const dialect =
      byEndpoint.get(`${method} ${route ?? path}`) ??
      findOwner(route ?? path) ??
      dialects.find((one) => one.owns(path)) ??
      dialects[0];
    return dialect.toError(error, path, request.headers);
  };
}

/** Each dialect decides which media types it accepts. */
const readBytes: NonNullable<ListenerOptions['addBodyReaders']> = (server) => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
};

interface OwnScope {
  readonly server: Parameters<RouteAdder>[0];
  readonly sender: Sender;
  /** Receives the own paths when the server starts to listen. */
  readonly paths: Map<string, string>;
}

/** In a separate scope, where bodies are read as parameters. */
function addOwn(http: HttpServerOptions, { server, sender, paths }: OwnScope): void {
  void server.register((scope, _options, done) => {
    addBodyReaders(scope);
    for (const [path, methods] of addRoutes(scope, http, sender)) paths.set(path, methods);
    done();
  });
}

interface Serving {
  readonly server: Parameters<RouteAdder>[0];
  readonly sender: Sender;
  readonly parts: CallParts & { readonly largeBodies: LargeBodies };
  readonly context: CompatContext;
}

function addRoute(route: CompatRoute, { server, sender, parts, context }: Serving): void {
  const calls = new WeakMap<Request, HttpCompatCall>();
  const largeMaxBytes = route.access === 'session' ? route.bodyMaxBytes : undefined;

  async function admitLarge(request: Request, reply: HttpReply, bytesMax: number): Promise<void> {
    const call = new HttpCompatCall(request, reply, { ...parts, route });
    await call.authenticate();
    calls.set(request, call);
    parts.largeBodies.hold(call.caller, { request, reply, bytesMax });
  }

  server.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
    url: route.path,
    bodyLimit: largeMaxBytes ?? bodyMaxBytes,
    onRequest: (request, reply, done) => {
      if (largeMaxBytes === undefined) done();
      else {
        admitLarge(request, reply, largeMaxBytes).then(() => {
          done();
        }, done);
      }
    },
    handler: (request, reply) => {
      const answer = async (): Promise<void> => {
        const call = calls.get(request) ?? new HttpCompatCall(request, reply, { ...parts, route });
        const made =
          route.access === 'public' ? route.run(context, call) : route.run(context, await call.admit());
        sender.send(request, reply, await made, call.caller);
      };
      answer().catch((error: unknown) => {
        sender.sendError(request, reply, error);
      });
    },
  });
}

/** Clients poll as often as every 500 ms, so they have another rate than Mayfly's own interface. */
function toCompatAccess(access: Access, requestsPerMinute: number): Access {
  const rate = new RequestRate('compat', requestsPerMinute);
  return {
    ...access,
    takeRequest: (caller, { key }) => {
      rate.take(caller, key);
    },
  };
}

/** Returns methods by path, as for an `Allow` field. */
function toAllowed(routes: readonly CompatRoute[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { path, method } of routes) {
    const own = method === 'GET' ? 'GET, HEAD' : method;
    const before = paths.get(path);
    paths.set(path, before === undefined ? own : `${before}, ${own}`);
  }
  for (const [path, methods] of paths) paths.set(path, `${methods}, OPTIONS`);
  return paths;
}

/** Answers with 200, which test containers wait for, and redirects browsers by its content. */
function toHomePage(url: string): Answer {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    },
    body:
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mayfly</title>' +
      `<meta http-equiv="refresh" content="0; url=${url}"><p><a href="${url}">Mayfly</a></p></html>\n`,
  };
}
