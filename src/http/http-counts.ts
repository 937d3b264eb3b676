// What the HTTP interface counts: requests by route and status, and how long they took. Called by request-checks.ts
// for every answer.

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Metrics } from '../observe/metrics.ts';

/** Their time is that of the news they wait for. */
const waitingRoutes = /\/(?:events|wait-mail)$/;
const waitParameter = /[?&]wait=/;

interface RouteCells {
  readonly histogram: { observe(seconds: number): void } | undefined;
  readonly requests: Map<number, { value: number }>;
}

/** @returns to be called once for each request, when its answer is out */
export function createHttpCounts(metrics: Metrics): (request: FastifyRequest, reply: FastifyReply) => void {
  const routes = new Map<string, RouteCells>();

  function open(route: string): RouteCells {
    const histogram = waitingRoutes.test(route) ? undefined : metrics.httpSeconds.of(route);
    const cells = { histogram, requests: new Map<number, { value: number }>() };
    routes.set(route, cells);
    return cells;
  }

  return (request, reply) => {
    // A path that is none of ours is one, however many there are.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { histogram, requests } = routes.get(route) ?? open(route);
    const { statusCode } = reply;
    let cell = requests.get(statusCode);
    if (!cell) requests.set(statusCode, (cell = metrics.httpRequests.of(route, String(statusCode))));
    cell.value += 1;
    if (histogram && !waitParameter.test(request.raw.url ?? '')) histogram.observe(reply.elapsedTime / 1000);
  };
}
