// Opens the way to the sessions of a distributed schema: the shard maps, and connections to the workers. The coordinator
// only does what no worker can do alone.

import { setTimeout as delay } from 'node:timers/promises';

import { Connections, probe } from '#postgres/connections';
import { Reachability } from '#postgres/reachability';
import { StatementHealth } from '#postgres/statement-health';
import { unavailable } from '../database/callers-error.ts';
import { DeliveryGroups } from '../delivery/delivery-groups.ts';
import type { Path, PathOptions } from '../topology.ts';
import { type Shard, ShardMap } from '#postgres/shard-map';
import { sendHere, WorkerGroups } from './worker-groups.ts';
import { createWorkerLookups } from './worker-lookups.ts';

/** Concurrent look-up statements per worker. */
const readersAtOnce = 3;
/** If the coordinator responds and a worker does not, a retry is cheap and fails at once. */
const retryMs = 250;

/** The connections to a worker. */
interface Worker {
  readonly groups: DeliveryGroups;
  readonly readers: Connections;
  readonly reachability: Reachability;
  readonly health: StatementHealth;
  close(): Promise<void>;
}

interface Maps {
  readonly sessions: ShardMap;
  readonly addresses: ShardMap;
}

/** @throws errors of pg when it cannot connect to the coordinator */
export async function openCluster(options: PathOptions): Promise<Path> {
  const { groups: settings } = options;
  const maps = {
    sessions: new ShardMap(settings.connections, 'mayfly.sessions'),
    addresses: new ShardMap(settings.connections, 'mayfly.addresses'),
  };
  await Promise.all([maps.sessions.read(), maps.addresses.read()]);
  const workers = new Map<string, Worker>();
  const connect = ({ host, port }: Pick<Shard, 'host' | 'port'>): Worker => {
    const name = `${host}:${port}`;
    const known = workers.get(name) ?? connectWorker(options, { host, port }, maps);
    workers.set(name, known);
    return known;
  };
  const others = new DeliveryGroups({
    ...settings,
    // No statement on shards' own tables can be sent to the coordinator.
    sendPlain: (copies) => Promise.resolve(copies.map(() => undefined)),
    settle: async (ms) => {
      await delay(Math.min(ms, retryMs));
      return settings.settle(ms);
    },
  });
  const groups = new WorkerGroups({
    map: maps.sessions,
    others,
    connect: (worker) => connect(worker).groups,
  });
  return {
    groups: {
      deliver: (deliveries) => groups.deliver(deliveries),
      close: async () => {
        await groups.close();
        await Promise.all(Array.from(workers.values(), (worker) => worker.close()));
      },
    },
    createLookups: (elsewhere) =>
      createWorkerLookups(
        { ...maps, connect: (worker) => connect(worker).readers, now: settings.now },
        elsewhere,
      ),
    isReachable: () => {
      const known = [...workers.values()];
      return known.length < maps.sessions.workerCount || known.some(isServing);
    },
  };
}

/** Returns the coordinator's URL with the machine's host and port. */
export function toMachineUrl(url: string, { host, port }: Pick<Shard, 'host' | 'port'>): string {
  const there = new URL(url);
  there.hostname = host;
  there.port = String(port);
  return there.href;
}

function isServing({ reachability, health }: Worker): boolean {
  return reachability.isReachable && health.isServing;
}

function connectWorker(
  { url, isPrepared, groups: settings, onReachable }: PathOptions,
  worker: Pick<Shard, 'host' | 'port'>,
  { sessions, addresses }: Maps,
): Worker {
  const workerUrl = toMachineUrl(url, worker);
  const tell = (isReachable: boolean, error: unknown): void => {
    onReachable(isReachable, new Error(`${worker.host}:${worker.port} does not answer.`, { cause: error }));
  };
  const health = new StatementHealth({ onChange: tell });
  const reachability = new Reachability({
    probe: () => probe(workerUrl),
    onChange: (isReachable, error) => {
      tell(isReachable, error);
      // Its shards may have moved.
      void sessions.refresh();
      void addresses.refresh();
    },
  });
  const open = (max: number): Connections =>
    new Connections({
      url: workerUrl,
      max,
      isPrepared,
      health,
      unavailable,
      onLost: () => {
        reachability.suspect();
      },
      isReachable: () => reachability.isReachable,
    });
  const [writers, readers] = [open(settings.groupsAtOnce), open(readersAtOnce)];
  const groups = new DeliveryGroups({
    ...settings,
    settle: (ms) => reachability.settle(ms),
    sendPlain: (copies) => sendHere({ settings, map: sessions }, writers, copies),
  });
  return {
    groups,
    readers,
    reachability,
    health,
    close: async () => {
      await reachability.close();
      await Promise.all([writers.close(), readers.close()]);
    },
  };
}
