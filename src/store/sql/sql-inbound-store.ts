// InboundStore over SQL.

import type { InboundClaim, InboundProof, InboundRoute, InboundStore } from '../inbound-store.ts';
import type { Sql, Statement } from './sql.ts';

const columns = 'name, provider, trusts, sealed, created_at AS "createdAt"';

const add: Statement = {
  name: 'add_inbound_route',
  text: `INSERT INTO mayfly.inbound_routes (name, provider, trusts, sealed, created_at)
    VALUES (:name, :provider, :trusts, :sealed, :now) ON CONFLICT (name) DO NOTHING RETURNING name`,
};
const find: Statement = {
  name: 'find_inbound_route',
  text: `SELECT ${columns} FROM mayfly.inbound_routes WHERE name = :name`,
};
const list: Statement = {
  name: 'list_inbound_routes',
  text: `SELECT ${columns} FROM mayfly.inbound_routes ORDER BY name`,
};
const remove: Statement = {
  name: 'remove_inbound_route',
  text: 'DELETE FROM mayfly.inbound_routes WHERE name = :name RETURNING name',
};
// The first claim leaves 0 uses, each later one adds to them.
const claim: Statement = {
  name: 'claim_inbound_proof',
  text: `INSERT INTO mayfly.inbound_proofs AS p (route, id, binds, uses, is_done, ends_at)
    VALUES (:route, :id, :binds, 0, :isDone, :now + :keptMs)
    ON CONFLICT (route, id) DO UPDATE SET uses = p.uses + 1 RETURNING binds, uses, is_done`,
};
const finish: Statement = {
  name: 'finish_inbound_proof',
  text: 'UPDATE mayfly.inbound_proofs SET is_done = :isDone WHERE route = :route AND id = :id',
};
const sweep: Statement = {
  name: 'sweep_inbound_proofs',
  text: 'DELETE FROM mayfly.inbound_proofs WHERE ends_at <= :now',
};

interface ProofRow {
  readonly binds: Uint8Array;
  readonly uses: number;
  /** SQLite has no booleans. */
  readonly is_done: boolean | number;
}

export class SqlInboundStore implements InboundStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addRoute({ name, provider, trusts, sealed }: Omit<InboundRoute, 'createdAt'>): Promise<boolean> {
    const added = await this.#sql.run(add, { name, provider, trusts, sealed });
    return added.length > 0;
  }

  findRoute(name: string): Promise<InboundRoute | undefined> {
    return this.#sql.get<InboundRoute>(find, { name });
  }

  listRoutes(): Promise<InboundRoute[]> {
    return this.#sql.all<InboundRoute>(list);
  }

  async removeRoute(name: string): Promise<boolean> {
    const removed = await this.#sql.run(remove, { name });
    return removed.length > 0;
  }

  async claim({ route, id, binds, keptMs }: InboundProof): Promise<InboundClaim> {
    const [row] = await this.#sql.run<ProofRow>(claim, { route, id, binds, keptMs, isDone: false });
    if (!row || row.uses === 0) return 'new';
    if (Buffer.compare(row.binds, binds) !== 0) return 'other';
    return row.is_done === true || row.is_done === 1 ? 'done' : 'again';
  }

  async finish(route: string, id: Uint8Array): Promise<void> {
    await this.#sql.run(finish, { route, id, isDone: true });
  }

  async sweepProofs(): Promise<void> {
    await this.#sql.run(sweep);
  }
}
