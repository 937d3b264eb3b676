// RefusalStore over SQL.

import type { KeptRefusal, NewRefusal, RefusalStore } from '../refusal-store.ts';
import type { Sql, Statement } from './sql.ts';

const hourMs = 3_600_000;

/** `:now` may stand only once: each is a reading of PostgreSQL's clock, and two may differ. */
const add: Statement = {
  name: 'add_refusal',
  text: `INSERT INTO mayfly.refusals AS r (at, network, stage, cause, count, last_at, host, helo, sender)
    VALUES (CAST(:now / :hourMs AS BIGINT) * :hourMs, :network, :stage, :cause, :count, :lastAt, :host, :helo, :sender)
    ON CONFLICT (at, network, stage, cause) DO UPDATE SET count = r.count + excluded.count,
      last_at = excluded.last_at, host = excluded.host, helo = excluded.helo, sender = excluded.sender`,
};
const list: Statement = {
  name: 'list_refusals',
  text: `SELECT at, network, stage, cause, count, last_at AS "lastAt", host, helo, sender
    FROM mayfly.refusals WHERE at >= :since ORDER BY last_at DESC, network, stage, cause`,
};
const sweep: Statement = {
  name: 'sweep_refusals',
  text: 'DELETE FROM mayfly.refusals WHERE at < :before',
};
const sweepMost: Statement = {
  name: 'sweep_most_refusals',
  text: `DELETE FROM mayfly.refusals
    WHERE at < (SELECT at FROM mayfly.refusals ORDER BY at DESC LIMIT 1 OFFSET :rowsMax)`,
};

export class SqlRefusalStore implements RefusalStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addRefusals(refusals: readonly NewRefusal[]): Promise<void> {
    await this.#sql.runEach(
      add,
      refusals.map((refusal) => ({ hourMs, ...refusal })),
    );
  }

  listRefusals(since: number): Promise<KeptRefusal[]> {
    return this.#sql.all<KeptRefusal>(list, { since });
  }

  async sweepRefusals({ before, rowsMax }: { before: number; rowsMax: number }): Promise<void> {
    await this.#sql.run(sweep, { before });
    await this.#sql.run(sweepMost, { rowsMax });
  }
}
