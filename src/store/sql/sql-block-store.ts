// BlockStore over SQL.

import type { Block, BlockKind, BlockStore } from '../block-store.ts';
import type { Sql, Statement } from './sql.ts';

const add: Statement = {
  name: 'add_block',
  text: `INSERT INTO mayfly.blocks (kind, value, note, created_at) VALUES (:kind, :value, :note, :now)
    ON CONFLICT (kind, value) DO UPDATE SET note = excluded.note`,
};
const remove: Statement = {
  name: 'remove_block',
  text: 'DELETE FROM mayfly.blocks WHERE kind = :kind AND value = :value RETURNING kind',
};
const list: Statement = {
  name: 'list_blocks',
  text: 'SELECT kind, value, note, created_at AS "createdAt" FROM mayfly.blocks ORDER BY kind, value',
};

export class SqlBlockStore implements BlockStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addBlock(kind: BlockKind, value: string, note: string): Promise<void> {
    await this.#sql.run(add, { kind, value, note });
  }

  async removeBlock(kind: BlockKind, value: string): Promise<boolean> {
    const removed = await this.#sql.run(remove, { kind, value });
    return removed.length > 0;
  }

  listBlocks(): Promise<Block[]> {
    return this.#sql.all<Block>(list);
  }
}
