// Checks every request before its operation: shutdown, host, cross-origin grant, path, method and the body's coding. A
// single hook, since each costs time on every request.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import { createCrossOrigin } from '#http-parts/cross-origin';
import { cleanPath, createPathFinder } from '#http-parts/paths';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { shuttingDown, unsupportedMediaType } from '../answers/error-answer.ts';
import { createHostGuard } from '#http-parts/host-guard';
import type { createHttpCounts } from '../server/http-counts.ts';
import type { HttpSettings } from '../server/http-server-options.ts';
import type { Sender } from '../answers/send-answer.ts';
import { queryOf } from '../server/serve-operation.ts';
import { mtaStsPath } from '#http-parts/mta-sts';

/** Counts a request against its client. @throws MayflyError too_many_connections */
export type AdmitRequest = (request: FastifyRequest, reply: FastifyReply) => void;

export interface RequestChecksOptions {
  readonly settings: HttpSettings;
  /** Methods by path, as for an `Allow` field. */
  readonly paths: ReadonlyMap<string, string>;
  readonly sender: Sender;
  readonly log: Logger;
  readonly isClosing: () => boolean;
  readonly count: ReturnType<typeof createHttpCounts>;
  readonly admit: AdmitRequest;
  /** Whether a path that is served in a cleaner form is redirected there. */
  readonly cleansPaths: boolean;
}

export function addRequestChecks(server: FastifyInstance, options: RequestChecksOptions): void {
  const { settings, paths, sender, log, isClosing, count, admit, cleansPaths } = options;
  const guardHost = createHostGuard(settings);
  const crossOrigin = createCrossOrigin(settings.corsOrigins);
  const findMethods = createPathFinder(paths);
  const isCrossOrigin = settings.corsOrigins.length > 0;

  function answerOptions(request: FastifyRequest, reply: FastifyReply, methods: string): void {
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    const grant = isPreflight ? crossOrigin.grantPreflight(request.headers.origin, methods) : undefined;
    sender.send(request, reply, { status: 204, headers: { allow: methods, ...grant }, body: null });
  }

  /** Returns true when it has answered. @throws MayflyError */
  function check(request: FastifyRequest, reply: FastifyReply): boolean {
    if (isClosing()) throw shuttingDown();
    if (!isForAnyHost(request, paths)) guardHost(request.raw);
    admit(request, reply);
    if (isCrossOrigin) reply.headers(crossOrigin.grant(request.headers.origin));
    if (request.is404) {
      const path = pathOf(request.raw.url);
      const methods = findMethods(path);
      const clean = methods === undefined && cleansPaths ? cleanPath(path) : path;
      if (clean !== path && findMethods(clean) !== undefined) {
        sender.send(request, reply, redirectTo(clean, request.raw.url));
        return true;
      }
      if (methods === undefined) throw new MayflyError('not_found', 'There is nothing at this path.');
      if (request.method === 'OPTIONS') {
        answerOptions(request, reply, methods);
        return true;
      }
      reply.header('allow', methods);
      throw new MayflyError('method_not_allowed', `This path accepts ${methods}.`);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') checkBody(request);
    return false;
  }

  server.addHook('onRequest', (request, reply, done) => {
    try {
      if (!check(request, reply)) done();
    } catch (error) {
      done(error as Error);
    }
  });
  server.addHook('onResponse', (request, reply, done) => {
    count(request, reply);
    // Without the query, which may contain a token; an unknown path might too.
    log.debug('http.request', {
      request_id: request.id,
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    });
    done();
  });
  addFailures(server, sender);
}

function addFailures(server: FastifyInstance, sender: Sender): void {
  server.setErrorHandler((error, request, reply) => {
    sender.sendError(request, reply, error);
  });
  // Never reached, because the hook above throws; without it Fastify would answer in its own format.
  server.setNotFoundHandler((request, reply) => {
    sender.sendError(request, reply, new MayflyError('not_found', 'There is nothing at this path.'));
  });
}

/** The policy of MTA-STS is for hosts of every domain, and says nothing that another page may not read. */
function isForAnyHost({ raw }: FastifyRequest, paths: RequestChecksOptions['paths']): boolean {
  return raw.url === mtaStsPath && paths.has(mtaStsPath);
}

function redirectTo(path: string, url = ''): Answer {
  const query = queryOf(url);
  return { status: 307, headers: { location: query === '' ? path : `${path}?${query}` }, body: '' };
}

/** @throws MayflyError unsupported_media_type */
function checkBody({ headers }: FastifyRequest): void {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    // Many clients send a type without a body; there is nothing to read then.
    delete headers['content-type'];
    return;
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') throw unsupportedMediaType();
}

function pathOf(url = ''): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
}
