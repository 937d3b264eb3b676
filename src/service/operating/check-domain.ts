// Checks whether a domain of ours is set up to receive mail here: MX and addresses, the certificate of STARTTLS, and
// SPF, which should state that the domain sends nothing. Run for the operator by the CLI and the admin interface.
// Queries name servers and reads our own certificate; connects to no other host.

import type { FindingState } from '#doctor/finding';
import type { MessageLookUps } from '#mail-receiver/dns-resolver';
import { reachOf } from '#networks/public-address';
import type { CertificateFacts } from '#doctor/facts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { LastMail } from '../records/last-mail.ts';
import { OperatorError } from './operator-error.ts';

export interface DomainCheck {
  readonly what: 'mx' | 'address' | 'tls' | 'spf';
  /** `unknown`: it could not be checked. */
  readonly state: FindingState;
  /** A sentence of what was found, and one of what to do. */
  readonly detail: string;
}

export interface CheckDomainDeps {
  /** The name of this server in its greeting. */
  readonly hostname: string;
  /** Undefined when the operator allows no queries. */
  readonly lookUps: (() => MessageLookUps) | undefined;
  /** The certificate of STARTTLS. */
  readonly readCertificate: () => Promise<CertificateFacts>;
  /** ms since 1970. */
  readonly clock?: () => number;
}

export interface CheckOwnDomainDeps {
  readonly directory: DirectoryStore;
  readonly lastMail: Pick<LastMail, 'list'>;
  readonly domainChecks: CheckDomainDeps;
}

export interface CheckedDomain {
  readonly checks: readonly DomainCheck[];
  readonly lastMailAt: number | undefined;
}

/** Refuses other domains: this is not a general DNS service for holders of keys. @throws OperatorError */
export async function checkOwnDomain(deps: CheckOwnDomainDeps, name: string): Promise<CheckedDomain> {
  const wanted = name.toLowerCase();
  const domain = (await deps.directory.listDomains()).find((one) => one.name === wanted);
  if (!domain) throw new OperatorError(`There is no domain ${JSON.stringify(name.slice(0, 80))}.`);
  const checks = await checkDomain(deps.domainChecks, domain.name);
  return { checks, lastMailAt: (await deps.lastMail.list()).get(domain.name) };
}

/** Returns the results in the order in which to fix them. @param domain a parsed name */
export async function checkDomain(
  { hostname, lookUps, readCertificate, clock = Date.now }: CheckDomainDeps,
  domain: string,
): Promise<DomainCheck[]> {
  // Loaded here, since a service needs it only when its operator asks.
  const [{ collectRecords }, { examineMail }] = await Promise.all([
    import('#doctor/collect-domain'),
    import('#doctor/examine'),
  ]);
  const server = { hostname, now: clock(), certificate: await readCertificate() };
  const asking = lookUps?.();
  try {
    const records = asking && (await collectRecords({ ask: asking.lookUp, reachOf }, domain));
    return examineMail(records, server).map(({ check, state, what, fix }) => ({
      what: check as DomainCheck['what'],
      state,
      detail: fix === null ? what : `${what} ${fix}`,
    }));
  } finally {
    asking?.end();
  }
}
