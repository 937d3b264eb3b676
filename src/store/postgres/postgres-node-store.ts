// NodeStore on PostgreSQL. Made by open-postgres-store.ts.

import type { NodeStore, StoredNode } from '../node-store.ts';
import type { Sql, Statement } from '../sql/sql.ts';

const beat: Statement = {
  name: 'beat_node',
  text: `WITH forgotten AS (DELETE FROM mayfly.nodes WHERE seen_at < :now - :forgottenMs)
    INSERT INTO mayfly.nodes (run, place, host, version, roles, started_at, seen_at)
    VALUES (:run, :place, :host, :version, :roles, :now, :now)
    ON CONFLICT (run) DO UPDATE SET seen_at = excluded.seen_at`,
};
const leave: Statement = { name: 'leave_node', text: 'DELETE FROM mayfly.nodes WHERE run = :run' };
const list: Statement = {
  name: 'list_nodes',
  text: `SELECT run, place, host, version, roles, started_at AS "startedAt", seen_at AS "seenAt"
    FROM mayfly.nodes ORDER BY host, started_at, run`,
};

export class PostgresNodeStore implements NodeStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async beat({ roles, ...node }: Parameters<NodeStore['beat']>[0], forgottenMs: number): Promise<void> {
    await this.#sql.run(beat, { ...node, roles: roles.join(','), forgottenMs });
  }

  async leave(run: string): Promise<void> {
    await this.#sql.run(leave, { run });
  }

  async listNodes(): Promise<StoredNode[]> {
    const rows = await this.#sql.all<Omit<StoredNode, 'roles'> & { readonly roles: string }>(list);
    return rows.map(({ roles, ...node }) => ({
      ...node,
      roles: roles.split(',').filter((one) => one !== ''),
    }));
  }
}
