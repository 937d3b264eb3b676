// What a store needs besides the coordinator if its schema is distributed by Citus: the shard map, and connections to
// the workers. Called by open-postgres-store.ts.

import { setTimeout as delay } from 'node:timers/promises';

import { Connections, probe } from '../connections.ts';
import { DeliveryGroups, type DeliveryGroupsOptions } from '../delivery-groups.ts';
import { Reachability } from '../reachability.ts';
import { toMachineUrl } from './scrub-workers.ts';
import { type Shard, ShardMap } from './shard-map.ts';
import { sendHere, WorkerGroups, type WorkerLink } from './worker-groups.ts';

export interface ClusterOptions {
  /** Of the coordinator, as used for deliveries. */
  readonly url: string;
  readonly isPrepared: boolean;
  /** For groups that go through the coordinator. */
  readonly groups: DeliveryGroupsOptions;
  /** Called when a worker stops responding or responds again. */
  readonly onReachable: (isReachable: boolean, error: unknown) => void;
}

/** If the coordinator responds and a worker does not, a retry is cheap and fails at once. */
const retryMs = 250;

export interface Cluster {
  readonly groups: WorkerGroups;
  /** False when no worker responds; a worker that received no mail yet counts as responding. */
  isReachable(): boolean;
}

/** @throws errors of pg when it cannot connect to the coordinator */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { groups: settings } = options;
  const map = new ShardMap(settings.connections);
  await map.read();
  const reachabilities: Reachability[] = [];
  const others = new DeliveryGroups({
    ...settings,
    settle: async (ms) => {
      await delay(Math.min(ms, retryMs));
      return settings.settle(ms);
    },
  });
  const groups = new WorkerGroups({
    map,
    others,
    connect: (worker) => {
      const { link, reachability } = connectWorker(options, worker, map);
      reachabilities.push(reachability);
      return link;
    },
  });
  return {
    groups,
    isReachable: () =>
      reachabilities.length < map.workerCount || reachabilities.some(({ isReachable }) => isReachable),
  };
}

function connectWorker(
  { url, isPrepared, groups: settings, onReachable }: ClusterOptions,
  worker: Pick<Shard, 'host' | 'port'>,
  map: ShardMap,
): { link: WorkerLink; reachability: Reachability } {
  const workerUrl = toMachineUrl(url, worker);
  const reachability = new Reachability({
    probe: () => probe(workerUrl),
    onChange: (isReachable, error) => {
      onReachable(isReachable, new Error(`${worker.host}:${worker.port} does not answer.`, { cause: error }));
      // Its shards may have moved.
      void map.refresh();
    },
  });
  const connections = new Connections({
    url: workerUrl,
    max: settings.groupsAtOnce,
    isPrepared,
    onLost: () => {
      reachability.suspect();
    },
    isReachable: () => reachability.isReachable,
  });
  const groups = new DeliveryGroups({
    ...settings,
    settle: (ms) => reachability.settle(ms),
    sendPlain: (copies) => sendHere({ settings, map }, connections, copies),
  });
  const link = {
    groups,
    connections: {
      close: async () => {
        await reachability.close();
        await connections.close();
      },
    },
  };
  return { link, reachability };
}
