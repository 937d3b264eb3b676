// Builds the access rules and the parts that the operator's commands need. Part of the composition root, called by
// app.ts.

import { NetworkLimiter } from '#networks/network-limiter';
import { createDnsResolver } from '#mail-receiver/dns-resolver';
import type { Logger } from '#telemetry/logger';
import { createChallenges } from '#networks/challenge';
import { deriveRecordKey } from '#sealing/server-key';
import type { Config } from '#config/settings';
import type { Access } from '../http/access/access.ts';
import { createAccess } from '../http/access/create-access.ts';
import { openOnce } from '../domain/open-once.ts';
import type { Metrics } from '../observe/metrics.ts';
import { readStatisticsTotals } from '../observe/statistics-totals.ts';
import { createTrafficHistory, type TrafficHistory } from '../observe/traffic-history.ts';
import { type BlockList, createBlockList } from '../service/operating/block-list.ts';
import { checkDomain } from '../service/operating/check-domain.ts';
import { createSessionCounts } from '../service/addresses/count-by-domain.ts';
import { createDomainStates } from '../service/operating/domain-states.ts';
import { createKeyring, type Keyring } from '../service/operating/keyring.ts';
import { createEarlyRefusals, type EarlyRefusals } from '../service/records/early-refusals.ts';
import { createLastMail, type LastMail } from '../service/records/last-mail.ts';
import type { GmailControl } from '../service/operating/gmail-control.ts';
import type { OperatorDeps, SettingInForce } from '../service/operating/operator-deps.ts';
import { createPageVisits, type PageVisits } from '../service/operating/page-visits.ts';
import { createRecentDeliveries, type RecentDeliveries } from '../service/records/recent-deliveries.ts';
import type { ProbeUses } from '../service/operating/probe-mail.ts';
import type { SignIns } from '../service/operating/sign-ins.ts';
import { createSignInLinks } from '../service/operating/sign-in-links.ts';
import { createStatistics, type Statistics } from '../service/records/statistics.ts';
import { createSessionCaps } from '../service/addresses/session-caps.ts';
import type { Stores } from '../store/stores.ts';
import { claimServerKey } from './claim-server-key.ts';
import type { Push } from './create-push.ts';
import { openAudit } from './open-audit.ts';
import { collectOverview } from './overview/collect-overview.ts';
import { type Heartbeat, startHeartbeat } from './overview/heartbeat.ts';
import type { ViewParts } from './certificates/certificate-parts.ts';
import { viewCertificates } from './certificates/view-certificates.ts';
import { createDoctorControl, type OwnDoctor } from './doctor/doctor-control.ts';
import { toInboundUrl } from './listeners/start-inbound.ts';
import { smtpHostname } from './listeners/start-smtp.ts';

const auditSweptEveryMs = 3_600_000;

export interface OperatingParts {
  readonly config: Config;
  readonly store: Stores;
  readonly gmail: GmailControl;
  readonly settings: readonly SettingInForce[];
  readonly log: Logger;
  readonly presented?: ViewParts['presented'];
}

export interface Operating {
  readonly access: Access;
  readonly keyring: Keyring;
  readonly blocks: BlockList;
  readonly lastMail: LastMail;
  /** Counts wrong tokens, keys and SMTP passwords by client network. */
  readonly wrongCredentials: NetworkLimiter;
  readonly deliveries: RecentDeliveries;
  readonly earlyRefusals: EarlyRefusals;
  readonly operator: OperatorDeps;
  readonly visits: PageVisits;
  /** Called once a service runs: what receives mail, and what sends notifications. */
  use(bound: { readonly services: ProbeUses; readonly push: Push | undefined }): void;
  /** Writes counts kept in memory; call before the store closes. */
  close(): Promise<void>;
}

export async function createOperating(
  parts: OperatingParts & { readonly metrics: Metrics; readonly place: number },
): Promise<Operating> {
  const { config, store, log, place } = parts;
  const onError = (error: unknown): void => {
    log.error('operating.store_failed', { error });
  };
  const keyring = await createKeyring({
    keys: store.keys,
    passkeys: store.passkeys,
    onError,
    clock: store.now,
  });
  const blocks = await createBlockList({ blocks: store.blocks, onError });
  const lastMail = createLastMail({ directory: store.directory, onError, clock: store.now });
  const traffic = createTraffic(parts, onError);
  const statistics = createStatistics({
    store: store.statistics,
    readTotals: () => readStatisticsTotals(parts.metrics),
    onError,
    clock: store.now,
  });
  const earlyRefusals = createEarlyRefusals({ store: store.refusals, onError, clock: store.now });
  const deliveries = withStatistics(createRecentDeliveries(), statistics);
  const { rate, authFailuresPerMinute } = config.limits;
  const visits = createPageVisits();
  const audit = openAudit(store, onError);
  const sweeping = setInterval(() => void audit.sweep().catch(onError), auditSweptEveryMs).unref();
  const { now } = store;
  const heartbeat = startHeartbeat({ config, nodes: store.shared?.nodes, place, now, onError });
  let pushesWaiting = (): number => 0;
  const wrongCredentials = new NetworkLimiter({
    count: rate === 'on' ? authFailuresPerMinute : Infinity,
    periodMs: 60_000,
  });
  const operator = await toOperatorDeps(parts, {
    lastMail,
    deliveries,
    ...withLastMinute(store, statistics, earlyRefusals),
    visits,
    traffic,
    audit,
    heartbeat,
    pushesWaiting: () => pushesWaiting(),
    links: createSignInLinks({ ...store, onKeysChanged: () => keyring.reload() }),
    signIns: openOnce(() => openSignIns(config, store, keyring)),
    onKeysChanged: () => keyring.reload(),
    onBlocksChanged: () => blocks.reload(),
  });
  collectOverview(parts.metrics, {
    readOverview: operator.readOverview,
    isReachable: () => store.isReachable(),
  });
  return {
    access: createConfiguredAccess(config, store, { keyring, blocks, wrongCredentials }),
    keyring,
    blocks,
    lastMail,
    wrongCredentials,
    deliveries,
    earlyRefusals,
    visits,
    operator,
    use: ({ services, push }) => {
      operator.doctor.useMail(services);
      pushesWaiting = () => push?.sender.waiting() ?? 0;
    },
    close: async () => {
      traffic?.close();
      clearInterval(sweeping);
      blocks.close();
      await heartbeat.close();
      await keyring.close();
      await lastMail.close();
      await earlyRefusals.close();
      await statistics.close();
    },
  };
}

async function openSignIns(config: Config, store: Stores, keyring: Keyring): Promise<SignIns> {
  const { createSignIns } = await import('../service/operating/sign-ins.ts');
  const secret = deriveRecordKey(await claimServerKey(store, config), 'sign-ins');
  return createSignIns({ store: store.passkeys, secret, now: store.now, keyring });
}

/** Counts that this node has not written yet are shown too. */
function withLastMinute(
  { statistics, refusals }: Stores,
  counted: Statistics,
  refused: EarlyRefusals,
): Pick<OperatorDeps, 'statistics' | 'refusals'> {
  return {
    statistics: {
      listCounts: async (span, since) => {
        await counted.flush();
        return statistics.listCounts(span, since);
      },
    },
    refusals: {
      listRefusals: async (since) => {
        await refused.flush();
        return refusals.listRefusals(since);
      },
    },
  };
}

function withStatistics(deliveries: RecentDeliveries, statistics: Statistics): RecentDeliveries {
  return {
    ...deliveries,
    recordReceived: (received) => {
      deliveries.recordReceived(received);
      if (received.outcomes.includes('accepted')) statistics.noteSender(received.meta);
    },
  };
}

/** Returns undefined unless there is a page to show it. */
function createTraffic(
  { config, store, metrics }: OperatingParts & { readonly metrics: Metrics },
  onError: (error: unknown) => void,
): TrafficHistory | undefined {
  if (config.admin.port === 'off') return undefined;
  return createTrafficHistory({ metrics, countLive: () => store.finder.countLive(), onError });
}

/** Creates the parts for commands on a data folder that no service owns, so there is no state in memory to update. */
export function createLoneOperator(parts: OperatingParts): Promise<OperatorDeps> {
  const nothing = (): Promise<void> => Promise.resolve();
  const lastMail = { list: () => parts.store.directory.listLastMail() };
  const audit = openAudit(parts.store, (error) => {
    parts.log.error('operating.store_failed', { error });
  });
  const { statistics, refusals } = parts.store;
  return toOperatorDeps(parts, {
    lastMail,
    audit,
    statistics,
    refusals,
    onKeysChanged: nothing,
    onBlocksChanged: nothing,
  });
}

interface InMemory extends Pick<
  OperatorDeps,
  | 'audit'
  | 'lastMail'
  | 'statistics'
  | 'refusals'
  | 'onKeysChanged'
  | 'onBlocksChanged'
  | 'deliveries'
  | 'traffic'
  | 'links'
  | 'signIns'
> {
  readonly visits?: PageVisits;
  /** Undefined where no service runs. */
  readonly heartbeat?: Heartbeat;
  readonly pushesWaiting?: () => number;
}

async function toOperatorDeps(
  { config, store, gmail, settings, log, presented }: OperatingParts,
  { visits, heartbeat, pushesWaiting = () => 0, ...inMemory }: InMemory,
): Promise<OperatorDeps & { readonly doctor: OwnDoctor }> {
  const { mail, directory, jobs, keys, passkeys, serverKeys, blocks, inbound, finder, copy, shared } = store;
  const { servers, timeoutMs } = config.dns;
  // The resolver does not cache, since an operator who has just changed a record must not see the previous one.
  const resolver =
    servers.join() === 'none' ? undefined : createDnsResolver({ servers, timeoutMs, keptMax: 0 });
  const certificates = viewCertificates({ config, store, log, presented });
  const domainChecks = {
    hostname: smtpHostname(config),
    lookUps: resolver && (() => resolver.forMessage()),
    readCertificate: async () =>
      (await import('./doctor/certificate-facts.ts')).readCertificateFacts(certificates),
  };
  return {
    mail,
    directory,
    jobs,
    keys,
    passkeys,
    serverKeys,
    blocks,
    now: store.now,
    inbound,
    sealInbound: async (route, secret) => {
      const { sealInbound } = await import('./listeners/open-inbound.ts');
      return sealInbound(await claimServerKey(store, config), route, secret);
    },
    inboundUrl: (route, provider) => toInboundUrl(config, route, provider),
    finder,
    copy,
    gmail,
    settings,
    ...inMemory,
    certificates: certificates.control,
    readOverview: async () => {
      const { readOverview } = await import('./overview/read-overview.ts');
      return readOverview({ config, store, certificates, heartbeat, pushesWaiting });
    },
    defaultQuarantineMs: config.session.quarantineSeconds * 1000,
    domainChecks,
    domainStates: createDomainStates({ directory, check: (domain) => checkDomain(domainChecks, domain) }),
    sessionCounts: createSessionCounts(finder),
    doctor: createDoctorControl({
      config,
      directory,
      settings,
      readDatabase: shared && (() => shared.readServer()),
      now: store.now,
      readCertificate: domainChecks.readCertificate,
      deliveries: inMemory.deliveries,
      visits,
    }),
  };
}

function createConfiguredAccess(
  { http, limits }: Config,
  { finder, now }: Stores,
  { keyring, blocks, wrongCredentials }: Pick<Operating, 'keyring' | 'blocks' | 'wrongCredentials'>,
): Access {
  const isLimited = limits.rate === 'on';
  const rate = (count: number): number => (isLimited ? count : Infinity);
  const { challengeSecret: secret, challengeDifficulty: difficulty } = http;
  return createAccess({
    rates: {
      createsPerMinute: rate(limits.createsPerMinute),
      createsPerDay: rate(limits.createsPerDay),
      keyCreatesPerMinute: rate(limits.keyCreatesPerMinute),
      requestsPerMinute: rate(limits.requestsPerMinute),
      linkRequestsPerMinute: rate(limits.linkRequestsPerMinute),
      authFailuresPerMinute: rate(limits.authFailuresPerMinute),
      limitsKeys: isLimited,
    },
    isKeyRequired: http.apiKeyRequired === 'on',
    keyring,
    blocks,
    wrongCredentials,
    challenges: http.challenge === 'pow' ? createChallenges({ secret, difficulty, clock: now }) : undefined,
    caps: createSessionCaps({
      finder,
      clock: now,
      perAddress: rate(limits.sessionsPerAddress),
      total: limits.sessionsMax,
    }),
  });
}
