// Creates the partitions for sessions of the next days and drops those whose day has passed: unlinking a file costs
// nothing, while deleting its rows would cost as much as writing them. Run under a lease, which is checked before each
// step. Made by open-postgres-store.ts.

import type pg from 'pg';

import { type Connections, withConnection } from '#postgres/connections';
import type { Lease } from '../lease-store.ts';
import { tryLock } from './database/advisory-lock.ts';
import { underLease } from './lease-fence.ts';
import { findLease, makeBucket, passBuckets } from './statements.ts';
import type { Topology } from './topology.ts';

export interface PartitionKeeperOptions {
  readonly connections: Connections;
  /** For statements that cannot run in a transaction. */
  readonly url: string;
  readonly now: () => number | null;
  /** The maximum lifetime of a session, extensions included. */
  readonly totalLifetimeMs: number;
  readonly topology: Pick<Topology, 'dropPartition'>;
}

const dayMs = 86_400_000;
const daysAhead = 2;
/** The wait after a bucket's day, for statements that still use its sessions. */
const graceMs = 3_600_000;
const tables = ['messages', 'chunks', 'notes', 'events', 'attempts', 'origins'] as const;

export class PartitionKeeper {
  readonly #options: PartitionKeeperOptions;

  constructor(options: PartitionKeeperOptions) {
    this.#options = options;
  }

  /** Creates the partitions for sessions of the next days. */
  async makeAhead(lease: Lease): Promise<void> {
    const { connections, now, totalLifetimeMs } = this.#options;
    const [row] = await connections.read<{ now: number }>(
      { name: 'mayfly_now', text: 'SELECT mayfly.now_ms($1) AS now' },
      [now()],
    );
    const endsAt = (row?.now ?? 0) + totalLifetimeMs;
    for (let day = 0; day <= daysAhead; day++) {
      const bucket = Math.floor(endsAt / dayMs) + 1 + day;
      await connections.write(...underLease(makeBucket, [bucket], lease));
    }
  }

  /** Drops passed partitions and returns their buckets. Continues what an earlier attempt left unfinished. */
  async dropPassed(lease: Lease): Promise<number[]> {
    const { connections, now, url, topology } = this.#options;
    const passed = underLease(passBuckets, [now(), graceMs], lease);
    const rows = await connections.write<{ bucket: number }>(...passed);
    const buckets = rows.map(({ bucket }) => bucket);
    if (buckets.length === 0) return [];
    return withConnection(url, async (client) => {
      // Another node that has the lock does the same work.
      if (!(await tryLock(client, 'dropPartitions'))) return [];
      return dropBuckets(client, { buckets, topology }, lease);
    });
  }
}

interface Passed {
  readonly buckets: readonly number[];
  readonly topology: PartitionKeeperOptions['topology'];
}

/** Returns the dropped buckets. */
async function dropBuckets(
  client: pg.Client,
  { buckets, topology }: Passed,
  lease: Lease,
): Promise<number[]> {
  const dropped: number[] = [];
  // Later statements wait behind these locks, and must not be given up.
  await client.query("SET lock_timeout = '2s'");
  for (const bucket of buckets) {
    for (const table of tables) {
      // Statements outside a transaction cannot be fenced by one.
      if (!(await isHeld(client, lease))) return dropped;
      await topology.dropPartition(client, table, `${table}_${bucket}`);
    }
    await client.query('DELETE FROM mayfly.buckets WHERE bucket = $1', [bucket]);
    dropped.push(bucket);
  }
  return dropped;
}

async function isHeld(client: pg.Client, lease: Lease): Promise<boolean> {
  const [{ text }, values] = underLease(findLease, [], lease);
  const { rows } = await client.query(text, [...values]);
  return rows.length > 0;
}
