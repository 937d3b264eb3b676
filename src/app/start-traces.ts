// Turns traces on when the operator configured a collector. Part of the composition root, called by app.ts.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { SafeFetchError } from '#networks/safe-fetch-error';
import type { SendOutcome } from '#telemetry/create-traces';
import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import { version } from './version.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createOperatorFetch } from './operator-fetch.ts';

/** Returns the metrics, with a destination for spans unless traces are off. */
export async function withTraces(metrics: Metrics, { traces }: Config, log: Logger): Promise<Metrics> {
  if (traces.url === '') return metrics;
  const { createTraces } = await import('#telemetry/create-traces');
  return {
    ...metrics,
    traces: createTraces({
      send: createSend(traces.url),
      share: traces.sample,
      source: {
        name: 'mayfly',
        version,
        // Distinguishes nodes, processes and restarts.
        attributes: { 'host.name': hostname(), 'service.instance.id': randomUUID() },
      },
      spans: metrics.traceSpans,
      log,
    }),
  };
}

function createSend(url: string): (body: string, signal: AbortSignal) => Promise<SendOutcome> {
  const fetch = createOperatorFetch(url);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Mayfly-Traces' };
  return async (body, signal) => {
    try {
      return judge((await fetch({ url, method: 'POST', headers, body, read: 'status', signal })).status);
    } catch (error) {
      const reason = error instanceof SafeFetchError ? error.failure : (error as Error).name;
      return { outcome: 'unavailable', reason };
    }
  };
}

/** OTLP/HTTP, "Failures": 429, 502, 503 and 504 may be retried, all other statuses are final. */
function judge(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  const mayTryAgain = [429, 502, 503, 504].includes(status);
  return { outcome: mayTryAgain ? 'unavailable' : 'refused', reason: `answered ${status}` };
}
