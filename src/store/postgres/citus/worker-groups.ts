// Group commits for a Citus cluster: one per worker, on direct connections, with deliveries to the sessions on its
// shards, so that a delivery costs one statement on one machine. Deliveries left over, or for sessions on several
// machines, go through the coordinator. Owned by PostgresMailStore.

import { toInt4Array, toInt8Array } from '#postgres/binary-array';
import type { Connections, Statement } from '#postgres/connections';
import type { Delivery, DeliveryOutcome } from '../../mail-store.ts';
import {
  type DeliveryCopy,
  type DeliverySettings,
  type GroupRow,
  toGroupOutcomes,
  toGroupValues,
} from '../delivery/delivery-batch.ts';
import type { DeliveryGroups, PlainOutcomes } from '../delivery/delivery-groups.ts';
import type { Groups } from '../topology.ts';
import type { Shard, ShardMap } from '#postgres/shard-map';

export interface WorkerGroupsOptions {
  readonly map: ShardMap;
  /** For deliveries that no worker can write alone. */
  readonly others: DeliveryGroups;
  /** Opens the groups of a worker. */
  readonly connect: (worker: Pick<Shard, 'host' | 'port'>) => DeliveryGroups;
}

export class WorkerGroups implements Groups {
  readonly #options: WorkerGroupsOptions;
  readonly #workers = new Map<string, DeliveryGroups>();

  constructor(options: WorkerGroupsOptions) {
    this.#options = options;
  }

  deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]> {
    const [only] = deliveries;
    const shard = only && deliveries.length === 1 ? this.#options.map.find(only.key) : undefined;
    return (shard ? this.#groupsOf(shard) : this.#options.others).deliver(deliveries);
  }

  #groupsOf({ host, port }: Shard): DeliveryGroups {
    const name = `${host}:${port}`;
    const known = this.#workers.get(name) ?? this.#options.connect({ host, port });
    this.#workers.set(name, known);
    return known;
  }

  async close(): Promise<void> {
    const all = [...this.#workers.values(), this.#options.others];
    await Promise.all(all.map((groups) => groups.close()));
  }
}

const deliverHere: Statement = {
  name: 'mayfly_deliver_here',
  text: `SELECT o_at, o_places, o_seqs, o_is_moved
    FROM mayfly.deliver_here($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
};

interface HereRow extends GroupRow {
  readonly o_is_moved: boolean;
}

export interface SendHereOptions {
  readonly settings: DeliverySettings;
  readonly map: ShardMap;
}

/** Sends the group in one statement to the worker, with the copies ordered by shard. */
export async function sendHere(
  { settings, map }: SendHereOptions,
  connections: Pick<Connections, 'query'>,
  copies: readonly DeliveryCopy[],
): Promise<PlainOutcomes> {
  const placed = copies.map((copy, at) => ({ copy, at, shard: map.find(copy.delivery.key)?.id ?? 0 }));
  placed.sort((a, b) => a.shard - b.shard || a.at - b.at);
  const ordered = placed.map(({ copy }) => copy);
  const shards: number[] = [];
  const firsts: number[] = [];
  for (const [place, { shard }] of placed.entries()) {
    if (shards.at(-1) === shard) continue;
    shards.push(shard);
    firsts.push(place + 1);
  }
  const values = [
    ordered[0]?.delivery.key ?? Buffer.alloc(0),
    toInt8Array(shards),
    toInt4Array(firsts),
    ...toGroupValues(settings, ordered),
  ];
  const [row] = await connections.query<HereRow>(deliverHere, values);
  // Deliveries to moved shards are left to the coordinator; later ones use the new map.
  if (row?.o_is_moved) void map.refresh();
  const inOrder = toGroupOutcomes(row, ordered.length);
  const outcomes: (DeliveryOutcome | undefined)[] = Array.from({ length: copies.length }, () => undefined);
  for (const [place, { at }] of placed.entries()) outcomes[at] = inOrder[place];
  return outcomes;
}
