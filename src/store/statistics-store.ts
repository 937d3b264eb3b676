// The port to the statistics that are kept for the operator: counts by hour and by day, without addresses. Every
// implementation passes test/contract/ports/statistics.ts.

export type StatisticsSpan = 'hour' | 'day';

export interface Count {
  readonly name: string;
  readonly count: number;
}

export interface KeptCount extends Count {
  /** When the hour or day began, ms since 1970, UTC. */
  readonly at: number;
}

export interface StatisticsStore {
  /** Adds to the counts of the hour and of the day that now is, on the store's clock. */
  addCounts(counts: readonly Count[]): Promise<void>;
  /** Returns the counts since the instant, oldest first. */
  listCounts(span: StatisticsSpan, since: number): Promise<KeptCount[]>;
  /** Forgets hours and days that began before these instants. */
  sweepCounts(before: Readonly<Record<StatisticsSpan, number>>): Promise<void>;
}
