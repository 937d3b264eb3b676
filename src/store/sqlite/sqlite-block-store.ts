// BlockStore on the SQLite file. Made by open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { Block, BlockKind, BlockStore } from '../block-store.ts';
import type { GroupCommit } from './group-commit.ts';

export interface SqliteBlockStoreOptions {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly clock: () => number;
}

export class SqliteBlockStore implements BlockStore {
  readonly #options: SqliteBlockStoreOptions;

  constructor(options: SqliteBlockStoreOptions) {
    this.#options = options;
  }

  async addBlock(kind: BlockKind, value: string, note: string): Promise<void> {
    await this.#options.commits.write(() =>
      this.#options.database
        .prepare(
          `INSERT INTO blocks (kind, value, note, created_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (kind, value) DO UPDATE SET note = excluded.note`,
        )
        .run(kind, value, note, this.#options.clock()),
    );
  }

  removeBlock(kind: BlockKind, value: string): Promise<boolean> {
    return this.#options.commits.write(() => {
      const remove = this.#options.database.prepare('DELETE FROM blocks WHERE kind = ? AND value = ?');
      return remove.run(kind, value).changes > 0;
    });
  }

  listBlocks(): Promise<Block[]> {
    const select = this.#options.database.prepare<[], Block>(
      'SELECT kind, value, note, created_at AS createdAt FROM blocks ORDER BY kind, value',
    );
    return Promise.resolve(select.all());
  }
}
