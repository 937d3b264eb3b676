// StatisticsStore over SQL.

import type { Count, KeptCount, StatisticsSpan, StatisticsStore } from '../statistics-store.ts';
import type { Sql, Statement } from './sql.ts';

const spanMs: Readonly<Record<StatisticsSpan, number>> = { hour: 3_600_000, day: 86_400_000 };

/** `:now` may stand only once: each is a reading of PostgreSQL's clock, and two may differ. */
const add: Statement = {
  name: 'add_count',
  text: `INSERT INTO mayfly.statistics AS s (span, at, name, count)
    VALUES (:span, CAST(:now / :spanMs AS BIGINT) * :spanMs, :name, :count)
    ON CONFLICT (span, at, name) DO UPDATE SET count = s.count + excluded.count`,
};
const list: Statement = {
  name: 'list_counts',
  text: `SELECT at, name, count FROM mayfly.statistics WHERE span = :span AND at >= :since ORDER BY at, name`,
};
const sweep: Statement = {
  name: 'sweep_counts',
  text: 'DELETE FROM mayfly.statistics WHERE span = :span AND at < :before',
};

export class SqlStatisticsStore implements StatisticsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addCounts(counts: readonly Count[]): Promise<void> {
    const each = (['hour', 'day'] as const).flatMap((span) =>
      counts.map(({ name, count }) => ({ span, spanMs: spanMs[span], name, count })),
    );
    await this.#sql.runEach(add, each);
  }

  listCounts(span: StatisticsSpan, since: number): Promise<KeptCount[]> {
    return this.#sql.all<KeptCount>(list, { span, since });
  }

  async sweepCounts(before: Readonly<Record<StatisticsSpan, number>>): Promise<void> {
    const spans = ['hour', 'day'] as const;
    await this.#sql.runEach(
      sweep,
      spans.map((span) => ({ span, before: before[span] })),
    );
  }
}
