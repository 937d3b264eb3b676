// Metrics of the HTTP interface: requests by route and status, and their duration; and spans, when traces are on.
// Called by request-checks.ts for every answer.

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Span } from '#telemetry/traces';
import type { Metrics } from '../../observe/metrics.ts';

/** Routes whose duration depends on the news that they wait for. */
const waitingRoutes = /\/(?:events|wait-mail)$/;
const waitParameter = /[?&]wait=/;

interface RouteCells {
  readonly histogram: { observe(seconds: number): void } | undefined;
  readonly requests: Map<number, { value: number }>;
}

/**
 * `isProxy`: reports whether a peer is a proxy that the operator named; only a proxy may set the trace of a request.
 * @returns a function to call once for each answered request
 */
export function createHttpCounts(
  metrics: Metrics,
  isProxy: (peer: string) => boolean,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { traces } = metrics;
  const routes = new Map<string, RouteCells>();

  function open(route: string): RouteCells {
    const histogram = waitingRoutes.test(route) ? undefined : metrics.httpSeconds.of(route);
    const cells = { histogram, requests: new Map<number, { value: number }>() };
    routes.set(route, cells);
    return cells;
  }

  function traceparentOf({ headers, raw }: FastifyRequest): string | undefined {
    const { traceparent } = headers;
    return typeof traceparent === 'string' && isProxy(raw.socket.remoteAddress ?? '')
      ? traceparent
      : undefined;
  }

  return (request, reply) => {
    // All unknown paths count as one.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { histogram, requests } = routes.get(route) ?? open(route);
    const { statusCode } = reply;
    let cell = requests.get(statusCode);
    if (!cell) requests.set(statusCode, (cell = metrics.httpRequests.of(route, String(statusCode))));
    cell.value += 1;
    if (histogram && !waitParameter.test(request.raw.url ?? '')) histogram.observe(reply.elapsedTime / 1000);
    if (traces) {
      traces.record(toSpan(request, reply), traceparentOf(request));
    }
  };
}

/** Named after OpenTelemetry's conventions for HTTP servers. Without path and query, which may contain a token. */
function toSpan(request: FastifyRequest, reply: FastifyReply): Span {
  const { method } = request;
  const route = request.is404 ? undefined : request.routeOptions.url;
  const { statusCode, elapsedTime } = reply;
  const hasFailed = statusCode >= 500;
  const endedAt = performance.now();
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    startedAt: endedAt - elapsedTime,
    endedAt,
    hasFailed,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': statusCode,
      'error.type': hasFailed ? String(statusCode) : undefined,
      'mayfly.request_id': request.id,
    },
  };
}
