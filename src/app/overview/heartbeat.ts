// Tells the other nodes that this process lives. Part of the composition root.

import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';

import type { Config } from '#config/settings';
import { version } from '../version.ts';
import type { OverviewNode } from '../../service/operating/overview.ts';
import type { NodeStore, StoredNode } from '../../store/node-store.ts';

const everyMs = 15_000;
/** Three in a row may be missed. */
export const aliveMs = 4 * everyMs;
const forgottenMs = 86_400_000;

export interface Heartbeat {
  readonly run: string;
  readonly startedAt: number;
  close(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly config: Config;
  /** Undefined where one process owns the store, which needs no list. */
  readonly nodes: NodeStore | undefined;
  /** The number of this process among several on one machine. */
  readonly place: number;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export function startHeartbeat({ config, nodes, place, now, onError }: HeartbeatOptions): Heartbeat {
  const run = randomUUID();
  const { dataDir, roles } = config.general;
  const node = { run, place: toPlace(resolve(dataDir), place), host: hostname(), version, roles };
  const startedAt = now();
  if (!nodes) return { run, startedAt, close: () => Promise.resolve() };
  let beating = Promise.resolve();
  const beat = (): void => {
    beating = beating.then(() => nodes.beat(node, forgottenMs)).catch(onError);
  };
  beat();
  const timer = setInterval(beat, everyMs).unref();
  return {
    run,
    startedAt,
    close: async () => {
      clearInterval(timer);
      await beating;
      await nodes.leave(run).catch(onError);
    },
  };
}

/** One process at a time has a place, since the folder is locked. */
function toPlace(folder: string, place: number): string {
  return createHash('sha256').update(`${hostname()}\n${folder}\n${place}`).digest('hex').slice(0, 32);
}

/** Leaves out dead runs of processes that have started again. */
export function toOverviewNodes(
  stored: readonly StoredNode[],
  { now, ownRun }: { readonly now: number; readonly ownRun: string | undefined },
): OverviewNode[] {
  const newest = new Map<string, StoredNode>();
  for (const node of stored) {
    const known = newest.get(node.place);
    if (!known || known.seenAt < node.seenAt) newest.set(node.place, node);
  }
  const isAlive = ({ seenAt }: StoredNode): boolean => seenAt >= now - aliveMs;
  return stored
    .filter((node) => isAlive(node) || newest.get(node.place) === node)
    .map((node) => ({
      host: node.host,
      version: node.version,
      roles: node.roles,
      startedAt: node.startedAt,
      seenAt: node.seenAt,
      isAlive: isAlive(node),
      isSelf: node.run === ownRun,
    }));
}
