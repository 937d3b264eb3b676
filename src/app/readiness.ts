// Reports whether the node should receive traffic, and why not. Used by /readyz and the metrics. Part of the
// composition root.

import type { Vitals } from '#telemetry/vitals';
import type { HttpServerOptions } from '../http/server/http-server-options.ts';
import type { Stores } from '../store/stores.ts';

/** A commit takes milliseconds; one waiting this long is blocked. */
const stuckCommitMs = 5000;

interface ReadinessParts {
  readonly isStopping: boolean;
  readonly vitals: Vitals;
  readonly store: Pick<Stores, 'readFigures' | 'isReachable' | 'takesWrites'>;
}

export function readiness({
  isStopping,
  vitals,
  store,
}: ReadinessParts): ReturnType<HttpServerOptions['health']['isReady']> {
  if (isStopping) return { ready: false, reason: 'shutting down' };
  const longestWaitMs = store.readFigures()?.longestWaitMs ?? 0;
  const reasons = [
    ...(store.isReachable() ? [] : ['the database does not answer']),
    ...(store.takesWrites() ? [] : ['the disk refuses writes: no mail is accepted']),
    ...(vitals.isDiskLow() ? ['the disk is nearly full: no mail is accepted'] : []),
    ...(vitals.isOverloaded() ? ['the event loop is late: new connections are turned away'] : []),
    ...(longestWaitMs > stuckCommitMs ? ['the store accepts no writes'] : []),
  ];
  return reasons.length === 0 ? { ready: true } : { ready: false, reason: reasons.join('; ') };
}
