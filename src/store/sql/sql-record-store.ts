// RecordStore over SQL.

import type { Lease } from '../lease-store.ts';
import type { RecordStore } from '../record-store.ts';
import type { Sql, Statement } from './sql.ts';

const read: Statement = {
  name: 'read_record',
  text: 'SELECT sealed FROM mayfly.records WHERE name = :name',
};
const replacing =
  'ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, changed_at = excluded.changed_at';
const write: Statement = {
  name: 'write_record',
  text: `INSERT INTO mayfly.records (name, sealed, changed_at) VALUES (:name, :sealed, :now) ${replacing}`,
};

export class SqlRecordStore implements RecordStore {
  readonly #sql: Sql;
  readonly #writeUnder: Statement;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#writeUnder = {
      name: 'write_record_under',
      text: `INSERT INTO mayfly.records (name, sealed, changed_at)
        SELECT :name, :sealed, :now WHERE ${sql.syntax.isHeld} ${replacing}`,
    };
  }

  async readRecord(name: string): Promise<Uint8Array | undefined> {
    const row = await this.#sql.get<{ sealed: Uint8Array }>(read, { name });
    return row?.sealed;
  }

  async writeRecord(name: string, sealed: Uint8Array): Promise<void> {
    await this.#sql.run(write, { name, sealed });
  }

  writeRecordUnder(lease: Lease, name: string, sealed: Uint8Array): Promise<boolean> {
    return this.#sql.runLeased(lease, [this.#writeUnder], { name, sealed });
  }
}
