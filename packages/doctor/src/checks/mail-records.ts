// MX, addresses, and the names of addresses: whether other servers find this one.

import type { Asked, DomainFacts, ExchangeFacts, HostAddress, MailRecords, PointerFacts } from '../facts.ts';
import { type Finding, findingsOf, listNames } from '../finding.ts';

const askAgain = 'Check the name servers of this machine and of the domain, then try again.';

/** @param isNode whether a host that is not this server is known as one of the service, as by its certificate */
export function checkMx(
  { domain, mx }: Pick<MailRecords, 'domain' | 'mx'>,
  hostname: string,
  isNode: (name: string) => boolean,
): Finding {
  const found = findingsOf('mx', domain);
  const add = `Add the record ${domain} MX 10 ${hostname}.`;
  if (mx === 'unknown') {
    return found.unknown(`The MX records of ${domain} could not be asked for.`, askAgain);
  }
  if (mx.length === 0) return found.failed(`${domain} has no MX record.`, add);
  const names = mx.map(({ exchange }) => exchange);
  if (names.includes('')) {
    return found.failed(
      `${domain} has a null MX (RFC 7505): it accepts no mail.`,
      `Replace it by MX 10 ${hostname}.`,
    );
  }
  const own = mx.filter(({ exchange }) => exchange === hostname.toLowerCase());
  if (own.length === 0) {
    return found.warning(
      `MX names ${listNames(names)}, and this server calls itself ${hostname}.`,
      `Let MX name ${hostname}, or set MAYFLY_SMTP_HOSTNAME.`,
    );
  }
  // Senders try these before this server, or as likely.
  const priority = Math.min(...own.map((one) => one.priority));
  const rivals = mx.filter(
    (one) => one.exchange !== hostname.toLowerCase() && one.priority <= priority && !isNode(one.exchange),
  );
  if (rivals.length === 0) return found.ok(`MX names ${hostname}.`);
  return found.warning(
    `MX names ${listNames(rivals.map(({ exchange }) => exchange))} too, which gets mail instead of ${hostname}.`,
    'Remove it, or let the certificate be for it if it is another node of this service.',
  );
}

export function checkWildcardMx({ domain, wildcardMx }: DomainFacts, hostname: string): Finding {
  const found = findingsOf('wildcard-mx', domain);
  if (wildcardMx === 'unknown') {
    return found.unknown(`The MX records below ${domain} could not be asked for.`, askAgain);
  }
  const add = `Add the record *.${domain} MX 10 ${hostname}.`;
  if (wildcardMx.length === 0) {
    return found.warning(
      `Names below ${domain} have no MX: capture sessions get no mail from the Internet.`,
      add,
    );
  }
  const names = wildcardMx.map(({ exchange }) => exchange);
  return names.includes(hostname.toLowerCase())
    ? found.ok(`MX of names below ${domain} names ${hostname}.`)
    : found.warning(`MX of names below ${domain} names ${listNames(names) || 'no host'}.`, add);
}

/**
 * One for each exchange.
 * @param own this server's name and addresses, with which those of its exchange are compared
 */
export function checkAddresses(
  { domain, mx, exchanges }: MailRecords,
  own: { readonly hostname: string; readonly ownAddresses: readonly string[] },
): Finding[] {
  const findings = exchanges.map((one) =>
    checkExchange(one, one.name === own.hostname.toLowerCase() ? own.ownAddresses : []),
  );
  const names = mx === 'unknown' ? [] : mx.map(({ exchange }) => exchange).filter((name) => name !== '');
  const count = new Set(names).size;
  if (count <= exchanges.length) return findings;
  const found = findingsOf('address', domain);
  return [
    ...findings,
    found.unknown(`Only ${exchanges.length} of the MX were checked.`, 'Let fewer hosts receive mail.'),
  ];
}

function checkExchange(exchange: ExchangeFacts, ownAddresses: readonly string[]): Finding {
  const { name, alias, ipv4, ipv6 } = exchange;
  const found = findingsOf('address', name);
  if (alias !== undefined) {
    return found.warning(
      `${name}, which MX names, is an alias of ${alias}: some servers send no mail there (RFC 2181 §10.3).`,
      `Replace the CNAME record of ${name} by A and AAAA records.`,
    );
  }
  const addresses = [...toList(ipv4), ...toList(ipv6)];
  const isPartial = ipv4 === 'unknown' || ipv6 === 'unknown';
  if (addresses.length === 0) {
    return isPartial
      ? found.unknown(`The addresses of ${name} could not be asked for.`, askAgain)
      : found.failed(`${name} has no address.`, `Add an A or AAAA record for ${name}.`);
  }
  const words = `${name} has the addresses ${listNames(
    addresses.map(({ address }) => address),
    8,
  )}`;
  const reaches = new Set(addresses.map(({ reach }) => reach));
  const toPublic = `Let the A and AAAA records of ${name} name its public addresses alone.`;
  if (!reaches.has('anyone')) {
    return reaches.has('network')
      ? found.warning(`${words}: only hosts of its own network can send mail there.`, toPublic)
      : found.failed(`${words}: no other host can send mail there.`, toPublic);
  }
  if (reaches.size > 1) return found.warning(`${words}, and other hosts cannot reach all of them.`, toPublic);
  if (isPartial) return found.unknown(`${words}; others could not be asked for.`, askAgain);
  return compareAddresses(exchange, ownAddresses) ?? found.ok(`${words}.`);
}

/** Compares with the interfaces, by family: behind a router they have none of its addresses. */
function compareAddresses(
  { name, ipv4, ipv6 }: ExchangeFacts,
  ownAddresses: readonly string[],
): Finding | undefined {
  const found = findingsOf('address', name);
  const own6 = ownAddresses.filter((address) => address.includes(':'));
  const own4 = ownAddresses.filter((address) => !address.includes(':'));
  for (const [type, published, own] of [
    ['A', toList(ipv4), own4],
    ['AAAA', toList(ipv6), own6],
  ] as const) {
    const wrong = published.find(({ address }) => !own.includes(address));
    if (own.length > 0 && wrong) {
      return found.warning(
        `The ${type} record of ${name} names ${wrong.address}, which is not an address of this server (${listNames(own)}).`,
        `Let it name ${own[0] ?? ''}, unless that address leads here.`,
      );
    }
  }
  const [unserved] = toList(ipv6);
  // Behind a router for IPv4 alone it would have no public address of that family either.
  if (own4.length > 0 && own6.length === 0 && unserved) {
    return found.warning(
      `${name} has the AAAA record ${unserved.address}, and this server has no public IPv6 address.`,
      `Remove it, or configure the address: senders with IPv6 try it first.`,
    );
  }
  if (own6.length > 0 && toList(ipv6).length === 0) {
    return found.warning(
      `${name} has no AAAA record, and this server has the address ${own6[0] ?? ''}.`,
      `Add the record ${name} AAAA ${own6[0] ?? ''}, for senders with IPv6 alone.`,
    );
  }
  return undefined;
}

function toList(asked: Asked<HostAddress>): readonly HostAddress[] {
  return asked === 'unknown' ? [] : asked;
}

/** One for each public address. */
export function checkPointers(pointers: readonly PointerFacts[], hostname: string): Finding[] {
  return pointers.map(({ address, names, back }) => {
    const found = findingsOf('reverse', address);
    const ask = `Have the provider of the address set its PTR record to ${hostname}.`;
    if (names === 'unknown') {
      return found.unknown(`The PTR record of ${address} could not be asked for.`, askAgain);
    }
    if (names.length === 0) return found.warning(`${address} has no PTR record.`, ask);
    if (back === 'unknown') {
      return found.unknown(`The addresses of ${listNames(names)} could not be asked for.`, askAgain);
    }
    return back.includes(address)
      ? found.ok(`${address} is called ${listNames(names)}, which leads back to it.`)
      : found.warning(`${address} is called ${listNames(names)}, which does not lead back to it.`, ask);
  });
}
