// Asks for the records of a domain. Judges nothing; what could not be asked for is `unknown`.

import { codeOf } from '../../system-errors/src/error-code.ts';
import type {
  Asked,
  DomainFacts,
  ExchangeFacts,
  Fetched,
  GreetingFacts,
  HostAddress,
  MailExchange,
  MailRecords,
  PointerFacts,
} from './facts.ts';
import { SocketAddress } from 'node:net';

type Type = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'PTR' | 'TXT';

/** Rejects with the code ENOTFOUND or ENODATA when there are no such records. */
export type AskRecords = (
  name: string,
  type: Type,
) => Promise<readonly (string | readonly string[] | MailExchange)[]>;

export interface DomainSources {
  readonly ask: AskRecords;
  readonly reachOf: (address: string) => HostAddress['reach'];
}

export interface MoreSources extends DomainSources {
  readonly fetch: (url: string) => Promise<Fetched>;
  readonly greet: (address: string) => Promise<GreetingFacts>;
  readonly servesPolicy: boolean;
  /** A name that no host has. */
  readonly unusedLabel: string;
}

const exchangesMax = 5;
/** The most addresses that are connected to, and asked for their names. */
const addressesMax = 8;

export async function collectRecords(sources: DomainSources, domain: string): Promise<MailRecords> {
  const { ask } = sources;
  const mx = await askExchanges(ask, domain);
  const names = mx === 'unknown' ? [] : [...new Set(mx.map(({ exchange }) => exchange))].filter(Boolean);
  const exchanges = await Promise.all(
    names.slice(0, exchangesMax).map((name) => askAddresses(sources, name)),
  );
  return { domain, mx, exchanges, texts: await askTexts(ask, domain) };
}

export async function collectDomain(sources: MoreSources, domain: string): Promise<DomainFacts> {
  const { ask, greet, fetch, servesPolicy, unusedLabel } = sources;
  const records = await collectRecords(sources, domain);
  const open = publicOf(records.exchanges);
  const [wildcardMx, pointers, greetings, dmarc, tlsReports, mtaStsTexts] = await Promise.all([
    askExchanges(ask, `${unusedLabel}.${domain}`),
    Promise.all(open.map((address) => askPointer(ask, address))),
    Promise.all(open.map((address) => greet(address))),
    askDmarc(ask, domain),
    askTexts(ask, `_smtp._tls.${domain}`),
    askTexts(ask, `_mta-sts.${domain}`),
  ]);
  const hasRecord = mtaStsTexts !== 'unknown' && mtaStsTexts.length > 0;
  const mtaStsPolicy =
    servesPolicy && hasRecord ? await fetch(`https://mta-sts.${domain}/.well-known/mta-sts.txt`) : undefined;
  return { ...records, wildcardMx, pointers, greetings, dmarc, tlsReports, mtaStsTexts, mtaStsPolicy };
}

function publicOf(exchanges: readonly ExchangeFacts[]): string[] {
  const all = exchanges.flatMap(({ ipv4, ipv6 }) => [...toList(ipv4), ...toList(ipv6)]);
  const open = all.filter(({ reach }) => reach === 'anyone').map(({ address }) => address);
  return [...new Set(open)].slice(0, addressesMax);
}

function toList<T>(asked: Asked<T>): readonly T[] {
  return asked === 'unknown' ? [] : asked;
}

async function askAddresses({ ask, reachOf }: DomainSources, name: string): Promise<ExchangeFacts> {
  const of = async (type: 'A' | 'AAAA'): Promise<Asked<HostAddress>> => {
    const found = await askFor(ask, name, type);
    return found === 'unknown'
      ? found
      : found.map(String).map((address) => ({ address, reach: reachOf(address) }));
  };
  const [ipv4, ipv6, found] = await Promise.all([of('A'), of('AAAA'), askFor(ask, name, 'CNAME')]);
  const [alias] = found === 'unknown' ? [] : found.filter((one) => typeof one === 'string');
  return { name, alias, ipv4, ipv6 };
}

async function askExchanges(ask: AskRecords, name: string): Promise<Asked<MailExchange>> {
  const found = await askFor(ask, name, 'MX');
  if (found === 'unknown') return found;
  return found.flatMap((record) =>
    typeof record === 'object' && 'exchange' in record
      ? [{ exchange: record.exchange.toLowerCase().replace(/\.$/, ''), priority: record.priority }]
      : [],
  );
}

async function askTexts(ask: AskRecords, name: string): Promise<Asked<string>> {
  const found = await askFor(ask, name, 'TXT');
  return found === 'unknown' ? found : found.map((record) => (Array.isArray(record) ? record.join('') : ''));
}

/** That of the domain, or of the nearest one above it (RFC 7489 §6.6.3, walking up as DMARCbis does). */
async function askDmarc(ask: AskRecords, domain: string): Promise<DomainFacts['dmarc']> {
  const labels = domain.split('.');
  for (let from = 0; from <= Math.max(0, labels.length - 2) && from < 6; from++) {
    const at = labels.slice(from).join('.');
    const texts = await askTexts(ask, `_dmarc.${at}`);
    if (texts === 'unknown' || texts.length > 0) return { at, texts };
  }
  return { at: domain, texts: [] };
}

async function askPointer(ask: AskRecords, address: string): Promise<PointerFacts> {
  const found = await askFor(ask, reverseName(address), 'PTR');
  if (found === 'unknown') return { address, names: found, back: [] };
  const names = found.flatMap((name) =>
    typeof name === 'string' ? [name.toLowerCase().replace(/\.$/, '')] : [],
  );
  const type = address.includes(':') ? 'AAAA' : 'A';
  const answers = await Promise.all(names.slice(0, exchangesMax).map((name) => askFor(ask, name, type)));
  const known = answers.flatMap((answer) => (answer === 'unknown' ? [] : answer.map(String)));
  const isUnknown = answers.includes('unknown') && !known.includes(address);
  return { address, names, back: isUnknown ? 'unknown' : known };
}

async function askFor(ask: AskRecords, name: string, type: Type) {
  try {
    return await ask(name, type);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : 'unknown';
  }
}

/**
 * Returns the name at which the PTR records of an address are (RFC 1035 §3.5, RFC 3596 §2.5).
 * @param address IPv4 or IPv6, without a zone
 */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${expand(address).split('').reverse().join('.')}.ip6.arpa`;
}

/** Returns 32 digits. */
function expand(address: string): string {
  // In the canonical form only a mapped address has a dotted quad, which has no name of its own.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address.replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_quad, ...parts: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    },
  );
  const [head = '', tail = ''] = canonical.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  const between = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...between, ...after].map((group) => group.padStart(4, '0')).join('');
}
