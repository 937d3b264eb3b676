// QueueStore over SQL.

import type { QueueLength, QueueStore } from '../queue-store.ts';
import type { Sql, Statement } from './sql.ts';

const measure: Statement = {
  name: 'measure_queue',
  text: `SELECT count(*) AS waiting, min(queued_at) AS "oldestAt",
      (SELECT count(*) FROM (SELECT 1 FROM mayfly.outbox WHERE dead_at IS NOT NULL LIMIT :most) AS d) AS dead
    FROM (SELECT queued_at FROM mayfly.outbox WHERE dead_at IS NULL ORDER BY queued_at LIMIT :most) AS w`,
};

export class SqlQueueStore implements QueueStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async measureQueue(countedMax: number): Promise<QueueLength> {
    const row = await this.#sql.get<QueueLength>(measure, { most: countedMax });
    return row ?? { waiting: 0, dead: 0, oldestAt: null };
  }
}
