// Records the load of this process, minute by minute for a day: the figures of the metrics, kept in memory for the
// operator's charts. Made by create-operating.ts.

import type { Metrics } from './metrics.ts';

/** In the order of the charts. */
export const trafficNames = [
  'messages_stored',
  'messages_refused',
  'sessions_created',
  'smtp_connections',
  'http_requests',
  'webhooks_sent',
] as const;

export type TrafficName = (typeof trafficNames)[number];

export type Traffic = Readonly<Record<TrafficName, number>>;

export interface TrafficPoint {
  /** The end of the span that is counted, ms since 1970. */
  readonly at: number;
  readonly seconds: number;
  /** At its end; null where it could not be counted. */
  readonly liveSessions: number | null;
  readonly counts: Traffic;
}

export interface TrafficHistory {
  /** Oldest first, at most `points`; the last ends now. */
  read(minutes: number, points: number): Promise<TrafficPoint[]>;
  close(): void;
}

export interface TrafficHistoryOptions {
  readonly metrics: Pick<
    Metrics,
    'messages' | 'sessionsCreated' | 'smtpConnections' | 'httpRequests' | 'webhookTries'
  >;
  readonly countLive: () => Promise<number>;
  readonly onError: (error: unknown) => void;
  /** ms since 1970. */
  readonly clock?: () => number;
  readonly everyMs?: number;
}

interface Sample {
  readonly at: number;
  readonly liveSessions: number | null;
  readonly totals: Traffic;
}

const minuteMs = 60_000;
export const historyMinutes = 24 * 60;

export function createTrafficHistory(options: TrafficHistoryOptions): TrafficHistory {
  const { metrics, countLive, onError, clock = Date.now, everyMs = minuteMs } = options;
  const samples: Sample[] = [{ at: clock(), liveSessions: null, totals: readTotals(metrics) }];

  async function take(): Promise<Sample> {
    const liveSessions = await countLive().catch((error: unknown) => {
      onError(error);
      return null;
    });
    return { at: clock(), liveSessions, totals: readTotals(metrics) };
  }

  async function keep(): Promise<void> {
    samples.push(await take());
    if (samples.length > historyMinutes + 1) samples.shift();
  }

  const timer = setInterval(() => void keep(), everyMs).unref();
  return {
    async read(minutes, points) {
      const now = await take();
      const from = now.at - minutes * minuteMs;
      const wanted = [...samples.filter(({ at }) => at >= from - everyMs && at < now.at), now];
      return toPoints(thin(wanted, (minutes * minuteMs) / points));
    },
    close: () => {
      clearInterval(timer);
    },
  };
}

/** Leaves out samples that lie closer together than `stepMs`, but for the last. */
function thin(samples: readonly Sample[], stepMs: number): Sample[] {
  const kept: Sample[] = [];
  const isLast = (index: number): boolean => index === samples.length - 1;
  for (const [index, sample] of samples.entries()) {
    const before = kept.at(-1);
    // Timers fire a little early or late.
    const isDue = before === undefined || sample.at - before.at > stepMs - minuteMs / 2;
    if (isDue || (isLast(index) && kept.length === 1)) kept.push(sample);
    // A rate over a few seconds is not meaningful.
    else if (isLast(index)) kept[kept.length - 1] = sample;
  }
  return kept;
}

function toPoints(samples: readonly Sample[]): TrafficPoint[] {
  return samples.slice(1).map(({ at, liveSessions, totals }, index) => {
    const before = samples[index];
    const counts = Object.fromEntries(
      trafficNames.map((name) => [name, totals[name] - (before?.totals[name] ?? 0)]),
    ) as Traffic;
    return { at, seconds: (at - (before?.at ?? at)) / 1000, liveSessions, counts };
  });
}

function readTotals(metrics: TrafficHistoryOptions['metrics']): Traffic {
  const { messages, sessionsCreated, smtpConnections, httpRequests, webhookTries } = metrics;
  const isStored = ([, outcome]: readonly string[]): boolean => outcome === 'stored';
  const stored = messages.sum(isStored);
  return {
    messages_stored: stored,
    messages_refused: messages.sum() - stored,
    sessions_created: sessionsCreated.sum(),
    smtp_connections: smtpConnections.sum(),
    http_requests: httpRequests.sum(),
    webhooks_sent: webhookTries.sum(),
  };
}
