// BlockStore on PostgreSQL. Made by open-postgres-store.ts.

import type { Block, BlockKind, BlockStore } from '../block-store.ts';
import type { Connections, Statement } from './connections.ts';
import { asCallersError } from './database-fault.ts';

export interface PostgresBlockStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

const add: Statement = {
  name: 'mayfly_add_block',
  text: `INSERT INTO mayfly.blocks (kind, value, note, created_at) VALUES ($2, $3, $4, mayfly.now_ms($1))
    ON CONFLICT (kind, value) DO UPDATE SET note = excluded.note`,
};
const remove: Statement = {
  name: 'mayfly_remove_block',
  text: 'DELETE FROM mayfly.blocks WHERE kind = $1 AND value = $2 RETURNING kind',
};
const list: Statement = {
  name: 'mayfly_list_blocks',
  text: 'SELECT kind, value, note, created_at AS "createdAt" FROM mayfly.blocks ORDER BY kind, value',
};

export class PostgresBlockStore implements BlockStore {
  readonly #options: PostgresBlockStoreOptions;

  constructor(options: PostgresBlockStoreOptions) {
    this.#options = options;
  }

  async addBlock(kind: BlockKind, value: string, note: string): Promise<void> {
    const { connections, now } = this.#options;
    await asCallersError(connections.write(add, [now(), kind, value, note]));
  }

  async removeBlock(kind: BlockKind, value: string): Promise<boolean> {
    const removed = await asCallersError(this.#options.connections.write<object>(remove, [kind, value]));
    return removed.length > 0;
  }

  async listBlocks(): Promise<Block[]> {
    return [...(await asCallersError(this.#options.connections.read<Block>(list, [])))];
  }
}
