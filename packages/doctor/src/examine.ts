// All checks: from facts to findings, in the order in which to act on them.

import { checkArrivals } from './checks/arrivals.ts';
import { checkDatabase } from './checks/database.ts';
import { checkCertificate, isNamedBy } from './checks/certificate.ts';
import {
  checkBackup,
  checkClock,
  checkDescriptors,
  checkDisk,
  checkFiles,
  checkService,
  checkSync,
  checkVersion,
} from './checks/machine.ts';
import { checkAddresses, checkMx, checkPointers, checkWildcardMx } from './checks/mail-records.ts';
import { checkPage, checkProxies } from './checks/page.ts';
import { checkDmarc, checkMtaSts, checkSpf, checkTlsReports } from './checks/policies.ts';
import type { DomainFacts, Facts, MailRecords, ServerFacts } from './facts.ts';
import { type Finding, findingsOf } from './finding.ts';

export function examine({ dns, server, domains, leftOut, hasDomains }: Facts): Finding[] {
  const found = [
    checkService(server),
    ...(dns === 'on'
      ? domains.flatMap((domain) => examineDomain(domain, { server, domains }))
      : [noQueries('')]),
    ...(hasDomains ? [] : [noDomain]),
    ...(leftOut > 0 ? [tooMany(domains.length, leftOut)] : []),
    ...certificateOf(domains, server),
    checkPage(server.page, server.now),
    checkProxies(server.page),
    checkClock(server),
    checkDescriptors(server),
    checkDisk(server),
    checkSync(server),
    ...checkDatabase(server),
    checkFiles(server),
    checkBackup(server),
    checkVersion(server),
  ];
  // Domains share hosts, and so what there is to say of them.
  return found.filter(
    ({ check, what }, at) => found.findIndex((one) => one.check === check && one.what === what) === at,
  );
}

const noDomain = findingsOf('mx').failed(
  'No domain is active that gets mail from the Internet.',
  'Add one: `mayfly domain add example.org`.',
);

function noQueries(domain: string): Finding {
  return findingsOf('mx', domain).unknown(
    'DNS checks are off: MAYFLY_DNS_SERVERS is none.',
    'Name a server in MAYFLY_DNS_SERVERS, or leave it empty.',
  );
}

function tooMany(checked: number, leftOut: number): Finding {
  return findingsOf('mx').unknown(
    `Only ${checked} of ${checked + leftOut} domains were checked.`,
    'Check the others with `mayfly domain check NAME`.',
  );
}

function examineDomain(
  domain: DomainFacts,
  { server, domains }: Pick<Facts, 'server' | 'domains'>,
): Finding[] {
  const { hostname, certificate } = server;
  const isNode = (name: string): boolean => isNamedBy(certificate, name);
  const exchanges = namesOf(domain);
  // Mail for one domain proves the way for all that have an exchange in common with it.
  const akin = domains.filter(
    (one) => one === domain || namesOf(one).some((name) => exchanges.includes(name)),
  );
  const arrivals = server.arrivals.filter((arrival) => akin.some((one) => one.domain === arrival.domain));
  return [
    checkMx(domain, hostname, isNode),
    ...checkAddresses(domain, server),
    ...checkArrivals(domain, server, { arrivals, isNode }),
    ...checkPointers(domain.pointers, hostname),
    checkWildcardMx(domain, hostname),
    checkSpf(domain),
    checkDmarc(domain),
    checkMtaSts(domain, server),
    checkTlsReports(domain),
  ];
}

function certificateOf(domains: readonly MailRecords[], server: ServerFacts): Finding[] {
  const exchanges = new Set(domains.flatMap(namesOf));
  return [checkCertificate(server, [...exchanges])];
}

function namesOf({ exchanges }: MailRecords): string[] {
  return exchanges.map(({ name }) => name).filter((name) => name !== '');
}

/** The checks of one domain that its records alone allow; without records, of the certificate alone. */
export function examineMail(
  records: MailRecords | undefined,
  server: Pick<ServerFacts, 'certificate' | 'hostname' | 'now'>,
): Finding[] {
  if (!records) return [noQueries(''), checkCertificate(server, [])];
  return [
    checkMx(records, server.hostname, (name) => isNamedBy(server.certificate, name)),
    ...checkAddresses(records, { hostname: server.hostname, ownAddresses: [] }),
    checkCertificate(server, namesOf(records)),
    checkSpf(records),
  ];
}
