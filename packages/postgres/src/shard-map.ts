// Maps the keys of a distributed table to machines of a Citus cluster by its metadata. Read when a store opens, and again
// when a shard turns out to have moved.

import type { Connections, Statement } from './connections.ts';
import { hashBytes } from './shard-hash.ts';

/** A range of hashes, and the machine that holds its rows. */
export interface Shard {
  readonly id: number;
  readonly min: number;
  readonly max: number;
  readonly host: string;
  readonly port: number;
}

const listShards = (table: string): Statement => ({
  name: `list_shards_of_${table.replace('.', '_')}`,
  text: `SELECT s.shardid AS id, s.shardminvalue::int AS min, s.shardmaxvalue::int AS max, n.nodename AS host,
      n.nodeport AS port
    FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_dist_placement p USING (shardid)
    JOIN pg_catalog.pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
    WHERE s.logicalrelid = '${table}'::regclass ORDER BY 2`,
});

export class ShardMap {
  readonly #connections: Pick<Connections, 'read'>;
  readonly #statement: Statement;
  #shards: readonly Shard[] = [];
  #reading: Promise<void> | undefined;

  /** @param table with its schema */
  constructor(connections: Pick<Connections, 'read'>, table: string) {
    this.#connections = connections;
    this.#statement = listShards(table);
  }

  get workerCount(): number {
    return new Set(this.#shards.map(({ host, port }) => `${host}:${port}`)).size;
  }

  /** Reads the map again; after a failure the old one stays in use, and the next group retries. Never rejects. */
  refresh(): Promise<void> {
    this.#reading ??= Promise.allSettled([this.read()]).then(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** @throws errors of the connections */
  async read(): Promise<void> {
    this.#shards = await this.#connections.read<Shard>(this.#statement, []);
  }

  /** Returns undefined when no shard covers the hash, as in a map that was never read. */
  find(key: Uint8Array): Shard | undefined {
    const hash = hashBytes(key);
    let [low, high] = [0, this.#shards.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const shard = this.#shards[middle];
      if (!shard) return undefined;
      if (hash < shard.min) high = middle - 1;
      else if (hash > shard.max) low = middle + 1;
      else return shard;
    }
    return undefined;
  }
}
