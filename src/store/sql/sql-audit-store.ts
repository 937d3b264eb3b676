// AuditStore over SQL.

import type { ActorKind, AuditBounds, AuditEnd, AuditEntry, AuditStore, Outcome } from '#audit/entry';
import type { Sql, Statement } from './sql.ts';

const add: Statement = {
  name: 'add_audit_entry',
  text: `INSERT INTO mayfly.audit (id, at, actor_kind, actor, action, target, outcome, detail)
    VALUES (:id, :now, :actorKind, :actor, :action, :target, :outcome, :detail)`,
};
const end: Statement = {
  name: 'end_audit_entry',
  text: 'UPDATE mayfly.audit SET outcome = :outcome, target = :target, detail = :detail WHERE id = :id',
};
const list: Statement = {
  name: 'list_audit_entries',
  text: `SELECT id, at, actor_kind, actor, action, target, outcome, detail FROM mayfly.audit
    WHERE at >= :since AND (at < :at OR (at = :at AND id < :id)) ORDER BY at DESC, id DESC LIMIT :limit`,
};
const drop: Statement = {
  name: 'drop_audit_entries',
  text: `DELETE FROM mayfly.audit WHERE at < :before OR id IN (
    SELECT id FROM mayfly.audit WHERE (outcome = 'refused') = :isRefused
    ORDER BY at DESC, id DESC LIMIT 1000000 OFFSET :most)`,
};

interface EntryRow extends Omit<AuditEntry, 'actor'> {
  readonly actor_kind: ActorKind;
  readonly actor: string;
  readonly outcome: Outcome;
}

const newest = { at: Number.MAX_SAFE_INTEGER, id: '' };

export class SqlAuditStore implements AuditStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addEntry({ actor, ...entry }: Omit<AuditEntry, 'at'>): Promise<void> {
    await this.#sql.run(add, { ...entry, actorKind: actor.kind, actor: actor.name });
  }

  async endEntry({ id, outcome, target, detail }: AuditEnd): Promise<void> {
    await this.#sql.run(end, { id, outcome, target, detail });
  }

  async listEntries({
    since,
    after,
    limit,
  }: Parameters<AuditStore['listEntries']>[0]): Promise<AuditEntry[]> {
    const { at, id } = after ?? newest;
    const rows = await this.#sql.all<EntryRow>(list, { since, at, id, limit });
    return rows.map(({ actor_kind: kind, actor: name, ...entry }) => ({ ...entry, actor: { kind, name } }));
  }

  async sweepEntries({ before, refusedMax, othersMax }: AuditBounds): Promise<void> {
    await this.#sql.runEach(drop, [
      { before, isRefused: true, most: refusedMax },
      { before, isRefused: false, most: othersMax },
    ]);
  }
}
