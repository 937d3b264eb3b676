// Reads what the operator's overview shows of the machine, the store and the nodes. Loaded when it is first asked for.
// Part of the composition root.

import { hostname } from 'node:os';

import { readLeaf } from '#certificates/issued-certificate';
import { readDisk } from '#doctor/collect-machine';
import type { Config } from '#config/settings';
import { version } from '../version.ts';
import {
  type Overview,
  type OverviewCertificate,
  type OverviewNode,
  queueCounted,
} from '../../service/operating/overview.ts';
import type { Stores } from '../../store/stores.ts';
import type { CertificateViews } from '../certificates/certificate-views.ts';
import { readLastBackup } from '../doctor/last-backup.ts';
import { type Heartbeat, toOverviewNodes } from './heartbeat.ts';

export interface OverviewParts {
  readonly config: Config;
  readonly store: Pick<Stores, 'measure' | 'queue' | 'shared' | 'now'>;
  readonly certificates: Pick<CertificateViews, 'smtp' | 'https'>;
  /** Undefined where no service runs. */
  readonly heartbeat: Heartbeat | undefined;
  readonly pushesWaiting: () => number;
}

export async function readOverview(parts: OverviewParts): Promise<Overview> {
  const { config, store, pushesWaiting } = parts;
  const { dataDir, diskFloorBytes } = config.general;
  const [disk, measure, certificates, webhooks, nodes] = await Promise.all([
    readDisk(dataDir, diskFloorBytes),
    store.measure(),
    readCertificates(parts),
    store.queue.measureQueue(queueCounted),
    readNodes(parts),
  ]);
  return {
    disk,
    store: { ...measure, isOnDisk: measure.engine === 'SQLite' },
    certificates,
    backup: readLastBackup(dataDir),
    webhooks,
    pushesWaiting: pushesWaiting(),
    nodes,
  };
}

async function readCertificates({ certificates }: OverviewParts): Promise<OverviewCertificate[]> {
  const [https, smtp] = (await Promise.all([certificates.https(), certificates.smtp()])).map(
    (one) => one?.chainPem,
  );
  const of = (pem: string | undefined, ...serves: OverviewCertificate['serves']): OverviewCertificate[] => {
    if (pem === undefined) return [];
    const { subjectAltName = '', validTo } = readLeaf(pem);
    const names = subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
    return [{ serves, names, notAfter: Date.parse(validTo) }];
  };
  if (https === smtp) return of(https, 'HTTPS', 'STARTTLS');
  return [...of(https, 'HTTPS'), ...of(smtp, 'STARTTLS')];
}

async function readNodes({ config, store, heartbeat }: OverviewParts): Promise<OverviewNode[]> {
  const now = store.now();
  if (store.shared) {
    return toOverviewNodes(await store.shared.nodes.listNodes(), { now, ownRun: heartbeat?.run });
  }
  if (!heartbeat) return [];
  const { roles } = config.general;
  const { startedAt } = heartbeat;
  return [{ host: hostname(), version, roles, startedAt, seenAt: now, isAlive: true, isSelf: true }];
}
