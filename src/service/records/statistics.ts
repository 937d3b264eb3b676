// The statistics kept for the operator: messages, refusals by cause, senders' domains and sessions, by hour for 30 days
// and by day for a year. Counted in memory and written once a minute; no address and no host is kept. Made once by
// create-operating.ts.

import { BoundedTally, otherMembers } from '#telemetry/bounded-tally';
import type { MessageMeta } from '../../domain/message.ts';
import type { Count, StatisticsSpan, StatisticsStore } from '../../store/statistics-store.ts';
import { addUp, writeRegularly } from './regular-writer.ts';
import { senderDomainOf } from './sender-domain.ts';

/** Totals since the start of the process, by name; only what they grow by is kept. */
export type ReadTotals = () => Readonly<Record<string, number>>;

export interface Statistics {
  /** Call for each message that was stored. */
  noteSender(meta: Pick<MessageMeta, 'envelope'>): void;
  /** Writes what was counted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface StatisticsOptions {
  readonly store: StatisticsStore;
  readonly readTotals: ReadTotals;
  readonly onError: (error: unknown) => void;
  /** The store's clock. */
  readonly clock: () => number;
  readonly everyMs?: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const keptMs: Readonly<Record<StatisticsSpan, number>> = { hour: 30 * dayMs, day: 365 * dayMs };
/** Strangers choose them: those beyond are counted together. */
const domainsPerHour = 200;
const sweepEveryMs = hourMs;

export const senderPrefix = 'from ';
export const otherSenders = `${senderPrefix}${otherMembers}`;

export function createStatistics(options: StatisticsOptions): Statistics {
  const { store, readTotals, onError, clock, everyMs = minuteMs } = options;
  let totals = readTotals();
  const senders = new BoundedTally<undefined>({ max: domainsPerHour, perGroupMax: domainsPerHour });
  let hour = Math.floor(clock() / hourMs);
  let sweptAt = -Infinity;

  function takeCounts(): Count[] {
    const now = readTotals();
    const counts = senders.take().map(({ member, count }) => ({ name: `${senderPrefix}${member}`, count }));
    for (const [name, total] of Object.entries(now)) {
      const count = total - (totals[name] ?? 0);
      if (count > 0) counts.push({ name, count });
    }
    totals = now;
    const current = Math.floor(clock() / hourMs);
    if (current !== hour) senders.restart();
    hour = current;
    return counts;
  }

  async function sweep(): Promise<void> {
    const now = clock();
    if (now - sweptAt < sweepEveryMs) return;
    sweptAt = now;
    await store.sweepCounts({ hour: now - keptMs.hour, day: now - keptMs.day });
  }

  return {
    noteSender({ envelope: { mailFrom } }) {
      senders.add('', senderDomainOf(mailFrom), undefined);
    },
    ...writeRegularly({
      everyMs,
      take: takeCounts,
      keyOf: ({ name }) => name,
      join: addUp,
      waitingMax: 2000,
      write: (counts) => store.addCounts(counts),
      sweep,
      onError,
    }),
  };
}
