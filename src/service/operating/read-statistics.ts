// Reads the kept statistics for the operator: a line over time, refusals by cause, and the domains that send most.

import type { KeptCount, StatisticsSpan, StatisticsStore } from '../../store/statistics-store.ts';
import { otherSenders, senderPrefix } from '../records/statistics.ts';

export interface ReadStatisticsDeps {
  readonly statistics: Pick<StatisticsStore, 'listCounts'>;
  /** The store's clock. */
  readonly now: () => number;
}

export interface StatisticsPoint {
  /** When the hour or day began. */
  readonly at: number;
  readonly received: number;
  readonly bytes: number;
  readonly refused: number;
  readonly deferred: number;
  readonly sessions: number;
}

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

export interface StatisticsView {
  /** Oldest first, without those in which nothing was counted. */
  readonly points: readonly StatisticsPoint[];
  /** Refusals and deferrals, the most frequent first. */
  readonly causes: readonly NamedCount[];
  /** Domains of senders of stored mail, likewise; '' for bounces, `*` for all that were too many to be kept apart. */
  readonly senders: readonly NamedCount[];
}

const listedMax = 20;

export async function readStatistics(
  { statistics, now }: ReadStatisticsDeps,
  span: StatisticsSpan,
  backMs: number,
): Promise<StatisticsView> {
  const counts = await statistics.listCounts(span, now() - backMs);
  const causes = sumByName(counts, (name) =>
    /^(?:refused|deferred) /.test(name) ? name.slice(name.indexOf(' ') + 1) : undefined,
  );
  const senders = sumByName(counts, (name) =>
    name.startsWith(senderPrefix) && name !== otherSenders ? name.slice(senderPrefix.length) : undefined,
  );
  const others = sumOf(counts, (name) => name === otherSenders);
  const listed = senders.slice(0, listedMax);
  const rest = others + senders.slice(listedMax).reduce((sum, { count }) => sum + count, 0);
  return {
    points: toPoints(counts),
    causes,
    senders: rest > 0 ? [...listed, { name: '*', count: rest }] : listed,
  };
}

function toPoints(counts: readonly KeptCount[]): StatisticsPoint[] {
  const byTime = new Map<number, KeptCount[]>();
  for (const count of counts) {
    const own = byTime.get(count.at);
    if (own) own.push(count);
    else byTime.set(count.at, [count]);
  }
  return [...byTime].map(([at, own]) => ({
    at,
    received: sumOf(own, (name) => name === 'received'),
    bytes: sumOf(own, (name) => name === 'bytes'),
    refused: sumOf(own, (name) => name.startsWith('refused ')),
    deferred: sumOf(own, (name) => name.startsWith('deferred ')),
    sessions: sumOf(own, (name) => name === 'sessions'),
  }));
}

function sumOf(counts: readonly KeptCount[], isWanted: (name: string) => boolean): number {
  return counts.reduce((sum, { name, count }) => (isWanted(name) ? sum + count : sum), 0);
}

/** @param nameOf returns undefined for counts that are left out */
function sumByName(counts: readonly KeptCount[], nameOf: (name: string) => string | undefined): NamedCount[] {
  const sums = new Map<string, number>();
  for (const { name, count } of counts) {
    const own = nameOf(name);
    if (own !== undefined) sums.set(own, (sums.get(own) ?? 0) + count);
  }
  return [...sums].map(([name, count]) => ({ name, count })).sort((one, other) => other.count - one.count);
}
