// Checks whether a domain of ours is set up to receive mail here: MX and addresses, the certificate of STARTTLS, and
// SPF, which should state that the domain sends nothing. Run for the operator by the CLI and the admin interface.
// Queries name servers and reads our own certificate; connects to no other host.

import { X509Certificate } from 'node:crypto';

import { reachOf } from '#networks/public-address';
import type { LookUp, MessageLookUps } from '#mail-receiver/dns-resolver';
import { codeOf } from '../../domain/error-code.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { LastMail } from '../records/last-mail.ts';
import { OperatorError } from './operator-error.ts';

export interface DomainCheck {
  readonly what: 'mx' | 'address' | 'tls' | 'spf';
  /** `unknown`: it could not be checked. */
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown';
  /** One sentence a person can act on. */
  readonly detail: string;
}

export interface CheckDomainDeps {
  /** The name of this server in its greeting. */
  readonly hostname: string;
  /** Undefined when the operator allows no queries. */
  readonly lookUps: (() => MessageLookUps) | undefined;
  /** The certificate chain of STARTTLS in PEM; undefined when it is not offered. */
  readonly readCertificate: () => Promise<string | undefined>;
  /** ms since 1970. */
  readonly clock?: () => number;
}

const exchangesChecked = 5;
const soonMs = 14 * 24 * 60 * 60 * 1000;

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
export async function checkDomain(deps: CheckDomainDeps, domain: string): Promise<DomainCheck[]> {
  if (!deps.lookUps) {
    return [
      { what: 'mx', state: 'unknown', detail: 'DNS checks are off: MAYFLY_DNS_SERVERS is none.' },
      ...(await checkTls(deps, [])),
    ];
  }
  const lookUps = deps.lookUps();
  try {
    const { exchanges, check } = await checkMx(lookUps.lookUp, domain, deps.hostname);
    const named = exchanges.slice(0, exchangesChecked);
    const addresses = await Promise.all(named.map((exchange) => checkAddress(lookUps.lookUp, exchange)));
    const spf = await checkSpf(lookUps.lookUp, domain);
    const rest: DomainCheck[] =
      exchanges.length === named.length
        ? []
        : [{ what: 'address', state: 'unknown', detail: `Only ${named.length} of the MX were checked.` }];
    return [check, ...addresses, ...rest, ...(await checkTls(deps, exchanges)), spf];
  } finally {
    lookUps.end();
  }
}

async function checkMx(
  lookUp: LookUp,
  domain: string,
  hostname: string,
): Promise<{ exchanges: readonly string[]; check: DomainCheck }> {
  const to = (state: DomainCheck['state'], detail: string, exchanges: readonly string[] = []) => ({
    exchanges,
    check: { what: 'mx', state, detail } as const,
  });
  const records = await ask(lookUp, domain, 'MX');
  if (records === 'unknown') return to('unknown', `The MX records of ${domain} could not be asked for.`);
  const exchanges = records
    .flatMap((record) =>
      typeof record === 'object' && 'exchange' in record ? [record.exchange.toLowerCase()] : [],
    )
    .map((exchange) => exchange.replace(/\.$/, ''));
  if (exchanges.length === 0) {
    return to('failed', `${domain} has no MX record: add one that names ${hostname}.`);
  }
  if (exchanges.includes('')) {
    return to('failed', `${domain} has a null MX (RFC 7505): it accepts no mail.`);
  }
  if (exchanges.includes(hostname.toLowerCase())) return to('ok', `MX names ${hostname}.`, exchanges);
  const named = exchanges.slice(0, exchangesChecked).join(', ');
  return to('warning', `MX names ${named}, and this server calls itself ${hostname}.`, exchanges);
}

async function checkAddress(lookUp: LookUp, exchange: string): Promise<DomainCheck> {
  const answers = await Promise.all([ask(lookUp, exchange, 'A'), ask(lookUp, exchange, 'AAAA')]);
  const addresses = answers.flatMap((answer) => (answer === 'unknown' ? [] : answer.map(String)));
  if (addresses.length > 0) return judgeAddresses(exchange, addresses, answers.includes('unknown'));
  return answers.includes('unknown')
    ? { what: 'address', state: 'unknown', detail: `The addresses of ${exchange} could not be asked for.` }
    : { what: 'address', state: 'failed', detail: `${exchange} has no address: add an A or AAAA record.` };
}

function judgeAddresses(exchange: string, addresses: readonly string[], isPartial: boolean): DomainCheck {
  const to = (state: DomainCheck['state'], ending: string): DomainCheck => ({
    what: 'address',
    state,
    detail: `${exchange} has the addresses ${addresses.slice(0, 8).join(', ')}${ending}`,
  });
  const reaches = new Set(addresses.map(reachOf));
  if (!reaches.has('anyone')) {
    return reaches.has('network')
      ? to('warning', ': only hosts of its own network can send mail there.')
      : to('failed', ': no other host can send mail there.');
  }
  if (reaches.size > 1) return to('warning', ', and other hosts cannot reach all of them.');
  return isPartial ? to('unknown', '; others could not be asked for.') : to('ok', '.');
}

async function checkTls(
  { hostname, readCertificate, clock = Date.now }: CheckDomainDeps,
  exchanges: readonly string[],
): Promise<DomainCheck[]> {
  const to = (state: DomainCheck['state'], detail: string): DomainCheck[] => [{ what: 'tls', state, detail }];
  const pem = await readCertificate();
  if (pem === undefined) return to('warning', 'STARTTLS is not offered: mail comes in the clear.');
  const certificate = new X509Certificate(pem);
  const leftMs = Date.parse(certificate.validTo) - clock();
  if (Date.parse(certificate.validFrom) > clock()) {
    return to('failed', `The certificate is not valid before ${toDate(certificate.validFrom)}.`);
  }
  const end = toDate(certificate.validTo);
  if (leftMs <= 0) return to('failed', `The certificate ended on ${end}.`);
  const isNamed = exchanges.length > 0;
  const missing = (isNamed ? exchanges : [hostname]).find((name) => !certificate.checkHost(name));
  if (missing !== undefined) {
    const whose = isNamed ? 'which MX names' : 'as this server calls itself';
    return to('warning', `The certificate is not for ${missing}, ${whose}.`);
  }
  if (certificate.checkIssued(certificate)) {
    return to(
      'warning',
      `The certificate is self-signed, until ${end}: senders encrypt to it, MTA-STS refuses it.`,
    );
  }
  const lifetimeMs = Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);
  // Short-lived ones are renewed at half of their life.
  return leftMs < Math.min(soonMs, lifetimeMs / 6)
    ? to('warning', `The certificate ends on ${end}.`)
    : to('ok', `The certificate is good until ${end}.`);
}

function toDate(time: string): string {
  return new Date(Date.parse(time)).toISOString().slice(0, 10);
}

async function checkSpf(lookUp: LookUp, domain: string): Promise<DomainCheck> {
  const records = await ask(lookUp, domain, 'TXT');
  if (records === 'unknown') {
    return { what: 'spf', state: 'unknown', detail: `The TXT records of ${domain} could not be asked for.` };
  }
  const texts = records.map((record) => (Array.isArray(record) ? record.join('') : ''));
  const policies = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
  if (policies.length === 1 && /^v=spf1\s+-all\s*$/i.test(policies[0] ?? '')) {
    return { what: 'spf', state: 'ok', detail: 'SPF says that the domain sends no mail.' };
  }
  const found =
    policies.length === 0
      ? `There is no SPF record of ${domain}`
      : policies.length === 1
        ? `SPF lets others send as ${domain}`
        : `There are several SPF records of ${domain}`;
  return {
    what: 'spf',
    state: 'warning',
    detail: `${found}: publish TXT "v=spf1 -all", since nothing is sent from here.`,
  };
}

type Records = Awaited<ReturnType<LookUp>>;

/** Resolves with an empty list when the record does not exist. */
async function ask(lookUp: LookUp, name: string, type: Parameters<LookUp>[1]): Promise<Records | 'unknown'> {
  try {
    return await lookUp(name, type);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : 'unknown';
  }
}
