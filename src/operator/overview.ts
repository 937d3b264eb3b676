// `mayfly overview`: disk, store, certificates, backup, queues and nodes.

import type { Overview } from '../service/operating/overview.ts';
import { type Noun, operatorCommand } from './command.ts';
import { toTime } from './to-time.ts';

const show = operatorCommand({
  method: 'GET',
  path: '/admin/overview',
  words: 'overview',
  help: 'show disk, store, ends of certificates, last backup, queues, and which nodes are alive',
  parameters: {},
  run: async ({ operator }) => describe(await operator.readOverview()),
  print: ({ disk, store, certificates, backup, queues, nodes }) => [
    disk === null
      ? 'disk: unknown'
      : `disk: ${toSize(disk.free_bytes)} of ${toSize(disk.total_bytes)} free for ${disk.folder}`,
    `store: ${store.engine} ${store.version}, ${toSize(store.bytes)}`,
    ...certificates.map(
      ({ serves, names, not_after: end }) =>
        `certificate: ${serves.join(' and ')}, ${names.join(', ')}, until ${end ?? ''}`,
    ),
    backup === null ? 'backup: none' : `backup: ${backup.made_at ?? ''}, verified, in ${backup.folder}`,
    `webhooks: ${queues.webhooks_waiting} waiting, ${queues.webhooks_dead} dead`,
    `notifications: ${queues.pushes_waiting} waiting`,
    ...nodes.map(
      (node) =>
        `node: ${node.host}, version ${node.version}, ${node.roles.join(',')}, ` +
        (node.alive ? `since ${node.started_at ?? ''}` : `not seen since ${node.seen_at ?? ''}`),
    ),
  ],
});

function describe({ disk, store, certificates, backup, webhooks, pushesWaiting, nodes }: Overview) {
  return {
    disk:
      disk === 'unknown'
        ? null
        : {
            folder: disk.folder,
            free_bytes: disk.freeBytes,
            total_bytes: disk.totalBytes,
            floor_bytes: disk.floorBytes,
          },
    store: {
      engine: store.engine,
      version: store.version,
      bytes: store.bytes,
      on_disk: store.isOnDisk,
    },
    certificates: certificates.map(({ serves, names, notAfter }) => ({
      serves,
      names,
      not_after: toTime(notAfter),
    })),
    // Only backups that were verified are noted.
    backup: backup ? { made_at: toTime(backup.madeAt), verified: true, folder: backup.folder } : null,
    queues: {
      webhooks_waiting: webhooks.waiting,
      webhooks_oldest_at: toTime(webhooks.oldestAt),
      webhooks_dead: webhooks.dead,
      pushes_waiting: pushesWaiting,
    },
    nodes: nodes.map((node) => ({
      host: node.host,
      version: node.version,
      roles: node.roles,
      started_at: toTime(node.startedAt),
      seen_at: toTime(node.seenAt),
      alive: node.isAlive,
      self: node.isSelf,
    })),
  };
}

function toSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export const overview: Noun = { word: 'overview', commands: [show] };
