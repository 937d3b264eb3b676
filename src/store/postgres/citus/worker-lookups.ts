// Look-ups of sessions on a Citus cluster, each directly from the worker that holds the row: look-ups of the same turn
// on one worker share a statement there, with nothing for Citus to plan, and an unreachable worker does not delay the
// answers of the others. Owned by open-cluster.ts.

import { BatchedLookup, type Lookup } from '#postgres/batched-lookup';
import { toByteaArray, toInt4Array, toInt8Array } from '#postgres/binary-array';
import type { Connections, Statement, Values } from '#postgres/connections';
import { codeOf } from '#system-errors/error-code';
import { unavailable } from '../database/callers-error.ts';
import { ownStates } from '../own-states.ts';
import { sessionColumns, type SessionRow } from '../session-row.ts';
import type { SessionLookups } from '../topology.ts';
import type { Shard, ShardMap } from '#postgres/shard-map';

type Reader = Pick<Connections, 'read'>;
type FindSession = Lookup<Uint8Array, SessionRow>;

export interface WorkerLookupsOptions {
  readonly sessions: ShardMap;
  readonly addresses: ShardMap;
  readonly connect: (worker: Pick<Shard, 'host' | 'port'>) => Reader;
  readonly now: () => number | null;
}

const findSessionsHere: Statement = {
  name: 'mayfly_find_sessions_here',
  text: `SELECT ${sessionColumns} FROM mayfly.find_sessions_here($1, $2, $3, $4)`,
};
const findHoldersHere: Statement = {
  name: 'mayfly_find_holders_here',
  text: 'SELECT o_place, o_key FROM mayfly.find_holders_here($1, $2, $3)',
};
interface HolderRow {
  readonly o_place: number;
  readonly o_key: Buffer;
}

/** Creates the look-ups. `elsewhere` goes through the coordinator, for shards that have left their worker. */
export function createWorkerLookups(
  { sessions, addresses, connect, now }: WorkerLookupsOptions,
  elsewhere: SessionLookups,
): SessionLookups {
  const byKey = new PlacedLookup<SessionRow>({
    map: sessions,
    connect,
    statement: findSessionsHere,
    toValues: (placed) => [now(), ...placed],
  });
  const holders = new PlacedLookup<HolderRow>({
    map: addresses,
    connect,
    statement: findHoldersHere,
    toValues: (placed) => placed,
  });
  const findByKey: FindSession = {
    find: (key) => unlessMoved(byKey.find(key), () => elsewhere.byKey.find(key)),
  };
  const known = new KnownAddresses();
  const findByAddress: FindSession = {
    find: (address) =>
      unlessMoved(
        holders.find(address).then((holder) => holder && findByKey.find(holder.o_key)),
        () => elsewhere.byAddress.find(address),
      ),
  };
  return {
    byKey: findByKey,
    byAddress: { find: (address) => known.find(address, { findByKey, findByAddress }) },
  };
}

interface KnownAddress {
  readonly key: Uint8Array;
  readonly address: Uint8Array;
}

const knownMax = 50_000;

/**
 * Caches the session that held each address at the last look-up. A session that has not ended and has the same address
 * still holds it, so only its own machine is queried, and the machine of the address may be unreachable.
 */
class KnownAddresses {
  readonly #known = new Map<string, KnownAddress>();

  async find(
    address: Uint8Array,
    { findByKey, findByAddress }: { readonly findByKey: FindSession; readonly findByAddress: FindSession },
  ): Promise<SessionRow | undefined> {
    const name = Buffer.from(address).toString('latin1');
    const known = this.#known.get(name);
    if (known) {
      const row = await findByKey.find(known.key);
      if (row?.o_ended_at === null && row.o_address.equals(known.address)) return row;
      this.#known.delete(name);
    }
    const found = await findByAddress.find(address);
    if (found?.o_ended_at === null) this.#keep(name, { key: found.o_key, address: found.o_address });
    return found;
  }

  #keep(name: string, known: KnownAddress): void {
    this.#known.set(name, known);
    const oldest = this.#known.size > knownMax ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Thrown when the map has no shard, or its worker no longer has it. */
class MovedError extends Error {
  override readonly name = 'MovedError';
}

async function unlessMoved<Found>(found: Promise<Found>, otherwise: () => Promise<Found>): Promise<Found> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof MovedError) return otherwise();
    throw error;
  }
}

interface PlacedLookupOptions {
  readonly map: ShardMap;
  readonly connect: WorkerLookupsOptions['connect'];
  readonly statement: Statement;
  /** Takes the shards, the first place of each one's keys, and the keys. */
  readonly toValues: (placed: readonly [Buffer, Buffer, Buffer]) => Values;
}

interface PlacedKey {
  readonly key: Uint8Array;
  readonly shard: number;
}

class PlacedLookup<Row extends { readonly o_place: number }> implements Lookup<Uint8Array, Row> {
  readonly #options: PlacedLookupOptions;
  readonly #byWorker = new Map<string, Lookup<PlacedKey, Row>>();

  constructor(options: PlacedLookupOptions) {
    this.#options = options;
  }

  async find(key: Uint8Array): Promise<Row | undefined> {
    const shard = this.#options.map.find(key);
    if (!shard) throw new MovedError();
    return this.#at(shard).find({ key, shard: shard.id });
  }

  #at({ host, port }: Shard): Lookup<PlacedKey, Row> {
    const name = `${host}:${port}`;
    const known = this.#byWorker.get(name);
    if (known) return known;
    const reader = this.#options.connect({ host, port });
    const lookup = new BatchedLookup<PlacedKey, Row>(
      (keys) => this.#findAll(reader, keys),
      () => unavailable(new Error('Too many look-ups are waiting.')),
    );
    this.#byWorker.set(name, lookup);
    return lookup;
  }

  async #findAll(reader: Reader, keys: readonly PlacedKey[]): Promise<readonly (Row | undefined)[]> {
    const { map, statement, toValues } = this.#options;
    const ordered = keys.map(({ key, shard }, at) => ({ key, shard, at }));
    ordered.sort((a, b) => a.shard - b.shard);
    const firsts = new Map<number, number>();
    for (const [place, { shard }] of ordered.entries()) if (!firsts.has(shard)) firsts.set(shard, place + 1);
    const placed = [
      toInt8Array([...firsts.keys()]),
      toInt4Array([...firsts.values()]),
      toByteaArray(ordered.map(({ key }) => key)),
    ] as const;
    const found: (Row | undefined)[] = keys.map(() => undefined);
    try {
      for (const row of await reader.read<Row>(statement, toValues(placed))) {
        const asked = ordered[row.o_place - 1];
        if (asked) found[asked.at] = row;
      }
    } catch (error) {
      if (codeOf(error) !== ownStates.moved) throw error;
      void map.refresh();
      throw new MovedError('', { cause: error });
    }
    return found;
  }
}
