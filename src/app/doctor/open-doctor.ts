// Collects what the doctor judges: joins the settings, the store and the listeners of this process to the collectors of
// packages/doctor. Loaded when it is first asked for. Part of the composition root.

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

import { collectDomain } from '#doctor/collect-domain';
import { collectMachine, listOwnAddresses } from '#doctor/collect-machine';
import { examine } from '#doctor/examine';
import type { ArrivalFacts, CertificateFacts, DomainFacts, Facts, PageFacts } from '#doctor/facts';
import { readGreeting } from '#doctor/read-greeting';
import { createDnsResolver, type DnsResolver, type LookUp } from '#mail-receiver/dns-resolver';
import { reachOf } from '#networks/public-address';
import type { HostResolver } from '#networks/resolve-host';
import { createSemaphore } from '#networks/semaphore';
import type { Config } from '#config/settings';
import { readInstalledVersion, version } from '../version.ts';
import { demoDomain } from '../../domain/addresses/special-domain.ts';
import { readIfThere } from '#sealing/read-if-there';
import { createDoctor, type Doctor, type ServiceState } from '../../service/operating/doctor.ts';
import { type PageVisits, visitHeader } from '../../service/operating/page-visits.ts';
import type { RecentDeliveries } from '../../service/records/recent-deliveries.ts';
import type { SettingInForce } from '../../service/operating/operator-deps.ts';
import type { DatabaseServer } from '../../store/stores.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import { isShared } from '../open-store.ts';
import { smtpHostname } from '../listeners/start-smtp.ts';
import { blamesClock, fetchPage } from '#doctor/fetch-page';
import { readLastBackup } from './last-backup.ts';

export interface DoctorParts {
  readonly config: Config;
  readonly directory: Pick<DirectoryStore, 'listDomains'>;
  readonly settings: readonly SettingInForce[];
  /** Undefined for a store that this machine has alone. */
  readonly readDatabase: (() => Promise<DatabaseServer>) | undefined;
  readonly readCertificate: () => Promise<CertificateFacts>;
  /** Undefined where no service runs, as are the visits. */
  readonly deliveries: RecentDeliveries | undefined;
  readonly visits: PageVisits | undefined;
  readonly probeArrivals: () => readonly ArrivalFacts[];
}

const domainsMax = 50;
const atOnceMax = 4;
const lookUpMs = 10_000;
const lookUpsMax = 400;
const recentMax = 2000;

export function openDoctor(parts: DoctorParts): Doctor {
  return createDoctor(async (service) => examine(await collectFacts(parts, service)));
}

async function collectFacts(parts: DoctorParts, service: ServiceState): Promise<Facts> {
  const { config } = parts;
  const { servers } = config.dns;
  // Nothing is cached: an operator who has just changed a record must not see the previous one.
  const resolver =
    servers.join() === 'none'
      ? undefined
      : createDnsResolver({ servers, timeoutMs: lookUpMs, lookUpsMax, keptMax: 0 });
  const active = (await parts.directory.listDomains()).filter(
    (one) => one.isActive && one.name !== demoDomain,
  );
  const names = active.slice(0, domainsMax).map(({ name }) => name);
  const turns = createSemaphore(atOnceMax);
  const collectOne = (name: string): Promise<DomainFacts> =>
    turns.run(() => withLookUps(resolver, (lookUp) => collectOwn(config, lookUp, name)));
  const [domains, server] = await Promise.all([
    resolver ? Promise.all(names.map(collectOne)) : [],
    collectServer(parts, service, resolver),
  ]);
  // Without queries, the domains are known to be there, but not their records.
  const leftOut = resolver ? active.length - names.length : 0;
  return { dns: resolver ? 'on' : 'off', server, domains, hasDomains: active.length > 0, leftOut };
}

async function withLookUps<T>(
  resolver: DnsResolver | undefined,
  work: (lookUp: LookUp | undefined) => Promise<T>,
): Promise<T> {
  const asking = resolver?.forMessage();
  try {
    return await work(asking?.lookUp);
  } finally {
    asking?.end();
  }
}

function collectOwn(config: Config, lookUp: LookUp | undefined, name: string): Promise<DomainFacts> {
  if (!lookUp) throw new Error('There are no name servers.');
  return collectDomain(
    {
      ask: lookUp,
      reachOf,
      fetch: (url) => fetchPage(url, { resolver: toHostResolver(lookUp) }),
      greet: (address) => readGreeting(address, { name: smtpHostname(config) }),
      servesPolicy: config.smtp.mtaSts !== 'off',
      unusedLabel: `doctor-${randomBytes(6).toString('hex')}`,
    },
    name,
  );
}

/** The names of the Internet, and not those of this machine's hosts file. */
function toHostResolver(lookUp: LookUp): HostResolver {
  return {
    async resolve(host) {
      // Never sent to a name server (RFC 6761 §6.3).
      if (host === 'localhost') return ['127.0.0.1', '::1'];
      const answers = await Promise.allSettled([lookUp(host, 'A'), lookUp(host, 'AAAA')]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(String) : []));
    },
  };
}

async function collectServer(
  parts: DoctorParts,
  service: ServiceState,
  resolver: DnsResolver | undefined,
): Promise<Facts['server']> {
  const { config, readCertificate, readDatabase, deliveries, visits, probeArrivals } = parts;
  const { dataDir: folder, diskFloorBytes: floorBytes } = config.general;
  const ownAddresses = listOwnAddresses((address) => reachOf(address) === 'anyone');
  const [certificate, page, clockAheadMs, machine, database] = await Promise.all([
    readCertificate(),
    withLookUps(resolver, (lookUp) => visitPage(config, visits, lookUp)),
    withLookUps(resolver, (lookUp) => compareClocks(config, lookUp)),
    collectMachine({ folder, floorBytes, secretFiles: listSecretFiles(parts) }),
    readDatabase ? askDatabase(readDatabase) : undefined,
  ]);
  return {
    now: Date.now(),
    hostname: smtpHostname(config),
    certificate,
    mtaStsMode: config.smtp.mtaSts,
    ownAddresses,
    service,
    arrivals: [...probeArrivals(), ...newestArrivals(deliveries)].filter(
      ({ remoteAddress: from }) => reachOf(from) === 'anyone' && !ownAddresses.includes(from),
    ),
    page,
    clockAheadMs,
    ...machine,
    database,
    backup: readLastBackup(folder),
    version: { running: version, installed: readInstalledVersion(), node: process.versions.node },
  };
}

async function askDatabase(read: () => Promise<DatabaseServer>): Promise<Facts['server']['database']> {
  try {
    return await read();
  } catch {
    // It cannot be reached, or not in time: the finding says so.
    return 'unknown';
  }
}

/** Outside the data folder. */
function listSecretFiles({ config: { http, smtp, secret }, settings }: DoctorParts): string[] {
  const ofSettings = settings.flatMap(({ file, value }) =>
    // Shown in place of a secret.
    file !== null && value.includes('(set)') ? [file] : [],
  );
  const files = [http.tlsKeyFile, smtp.tlsKeyFile, secret.keyFile, ...ofSettings];
  return [...new Set(files.filter((file) => file !== '').map((file) => resolve(file)))];
}

async function visitPage(
  config: Config,
  visits: PageVisits | undefined,
  lookUp: LookUp | undefined,
): Promise<PageFacts> {
  const { publicUrl, basePath, tls, proxyHeader } = config.http;
  const url = publicUrl === '' ? '' : `${publicUrl}${basePath}`;
  const facts = {
    url,
    endsTls: tls !== 'off',
    proxyField: proxyHeader,
    hasNodes: isShared(config) || !visits,
  };
  if (url === '') return { ...facts, fetched: undefined, visit: undefined };
  let fetched: PageFacts['fetched'];
  const ask = async (number: string): Promise<void> => {
    const headers = { [visitHeader]: number };
    const resolver = lookUp ? { resolver: toHostResolver(lookUp) } : {};
    fetched = await fetchPage(`${url}/domains`, { headers, ...resolver });
  };
  const visit = visits ? await visits.watch(ask) : await ask('').then(() => undefined);
  return { ...facts, fetched, visit };
}

/** With the clock of the certificate authority, which is asked anyway; not where the operator allows no queries. */
async function compareClocks(
  { acme }: Config,
  lookUp: LookUp | undefined,
): Promise<Facts['server']['clockAheadMs']> {
  if (!lookUp) return undefined;
  const certificateAuthorities = acme.caFile === '' ? undefined : readIfThere(acme.caFile)?.toString();
  const began = Date.now();
  const answer = await fetchPage(acme.directory, {
    certificateAuthorities,
    resolver: toHostResolver(lookUp),
  });
  if (blamesClock(answer)) return 'invalid';
  const between = (began + Date.now()) / 2;
  // In whole seconds, rounded down.
  return 'dateAt' in answer && answer.dateAt !== undefined ? answer.dateAt + 500 - between : undefined;
}

/** The newest mail by domain and sending host. */
function newestArrivals(deliveries: RecentDeliveries | undefined): ArrivalFacts[] {
  const newest = new Map<string, ArrivalFacts>();
  for (const { at, address, remoteAddress, tls } of deliveries?.list({
    outcome: 'accepted',
    limit: recentMax,
  }) ?? []) {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    const key = `${domain} ${remoteAddress ?? ''}`;
    if (remoteAddress === null || newest.has(key)) continue;
    newest.set(key, { at, domain, remoteAddress, tls, authentication: undefined });
  }
  return [...newest.values()];
}
