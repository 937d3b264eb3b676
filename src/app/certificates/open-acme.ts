// Opens the certificate from an ACME server and keeps it renewed. Loaded only with MAYFLY_HTTP_TLS=acme. Part of the
// composition root.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { createAcmeTransport } from '../../certificates/acme-transport.ts';
import { CertificateKeeper } from '#certificates/certificate-keeper';
import { ChallengeBoard } from '#certificates/challenge-board';
import { holdCertificateLease, lookIntervalMs, runKeeper } from '../../certificates/run-keeper.ts';
import { ServingCertificate } from '#certificates/serving-certificate';
import { stagingOf } from '#config/tls-settings';
import { version } from '../version.ts';
import type { TlsCertificate } from '#certificates/tls-certificate';
import { type Lease, ownLeases } from '../../store/lease-store.ts';
import { readAuthorities } from '../setting-file.ts';
import { toWanted } from './certificate-views.ts';
import type { CertificatesOptions } from './certificate-parts.ts';
import { openRecords } from './open-records.ts';

export interface AcmeCertificates {
  readonly serving: ServingCertificate;
  readonly board: ChallengeBoard;
  /** Starts renewing. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** @param untilThen served until there is a certificate */
export async function openAcme(
  options: CertificatesOptions,
  untilThen: TlsCertificate,
): Promise<AcmeCertificates> {
  const { config, store, log, metrics } = options;
  const { acme } = config;
  const stopping = new AbortController();
  const stagingUrl = stagingOf(acme);
  const records = await openRecords(options);
  const serving = new ServingCertificate(untilThen);
  const board = new ChallengeBoard({ records, now: store.now });
  let currentLease = (): Lease | undefined => undefined;
  const keeper = new CertificateKeeper({
    records,
    serving,
    board,
    stagingUrl,
    log,
    now: store.now,
    transport: createAcmeTransport(
      [acme.directory, ...(stagingUrl === undefined ? [] : [stagingUrl])],
      readAuthorities('MAYFLY_ACME_CA_FILE', acme.caFile),
      stopping.signal,
    ),
    userAgent: `Mayfly/${version}`,
    email: acme.email,
    externalAccount: acme.eabKeyId === '' ? undefined : { keyId: acme.eabKeyId, hmacKey: acme.eabKey },
    challengeTypes: config.http.redirectPort === 'off' ? ['tls-alpn-01'] : acme.challenges,
    wait: (ms) => delay(ms, undefined, { signal: stopping.signal }),
    lease: () => currentLease(),
    wanted: toWanted(config, store),
    // The others look at these intervals.
    learnMs: store.shared ? 2 * lookIntervalMs : 0,
    onOrder: (outcome) => {
      metrics.certificateOrders.of(outcome).value += 1;
    },
  });
  metrics.registry.onCollect(() => {
    metrics.certificateFailures.of().value = keeper.progress.failure?.count ?? 0;
  });
  // A restart serves the certificate from its first connection.
  await keeper.load();
  let running: { close(): Promise<void> } | undefined;
  return {
    serving,
    board,
    start: () => {
      const lease = holdCertificateLease(store.shared?.leases ?? ownLeases, randomUUID(), log);
      currentLease = lease.current;
      running = runKeeper({ keeper, held: lease, log, stopping });
    },
    close: async () => running?.close(),
  };
}
