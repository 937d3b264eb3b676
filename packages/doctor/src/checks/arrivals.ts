// Whether mail from outside reaches this server: who answers at the addresses of the exchange, and what came.

import type { ArrivalFacts, DomainFacts, ServerFacts } from '../facts.ts';
import { type Finding, findingsOf } from '../finding.ts';

const keptMs = 30 * 24 * 60 * 60 * 1000;

/**
 * @param arrivals those by an exchange of the domain, for whichever domain
 * @param isNode whether a host that is not this server is known as one of the service
 */
export function checkArrivals(
  { domain, greetings }: Pick<DomainFacts, 'domain' | 'greetings'>,
  { hostname, certificate, now, ownAddresses }: ServerFacts,
  { arrivals, isNode }: { arrivals: readonly ArrivalFacts[]; isNode: (name: string) => boolean },
): Finding[] {
  const found = findingsOf('mail', domain);
  const strangers = greetings.flatMap(({ address, answer }) =>
    answer === 'none' || answer.host.toLowerCase() === hostname.toLowerCase() || isNode(answer.host)
      ? []
      : [{ address, ...answer }],
  );
  // From this machine an address of its own is always reached; others may be behind a router that does not lead back.
  const closed = greetings
    .filter(({ address, answer }) => answer === 'none' && ownAddresses.includes(address))
    .map(({ address }) =>
      found.failed(
        `Nothing answers at port 25 of ${address}, an address of this server.`,
        'Start `mayfly-smtp.socket`; without systemd set MAYFLY_SMTP_HOST, and MAYFLY_SMTP_PORT=25.',
      ),
    );
  const wrong = strangers.map(({ address, host }) =>
    found.failed(
      `Port 25 of ${address} is answered by ${host || 'a server without a name'}, not by ${hostname}.`,
      `Stop the other server, or let port 25 of ${address} lead here.`,
    ),
  );
  const isMute = greetings.some(
    ({ answer }) => certificate !== 'off' && answer !== 'none' && strangers.length === 0 && !answer.offersTls,
  );
  const stripped = isMute
    ? [
        found.warning(
          'STARTTLS is missing where others connect to port 25.',
          'Look for a firewall or proxy before port 25 that removes it.',
        ),
      ]
    : [];
  const last = arrivals
    .filter((one) => now - one.at < keptMs)
    .reduce<ArrivalFacts | undefined>(
      (newest, one) => (newest && newest.at >= one.at ? newest : one),
      undefined,
    );
  if (wrong.length > 0 || closed.length > 0) return [...wrong, ...closed];
  return [...stripped, last ? judge(last, found) : lacking(domain, found)];
}

function lacking(domain: string, found: ReturnType<typeof findingsOf>): Finding {
  return found.unknown(
    `No mail from outside has come for ${domain} since the start, so port 25 may be closed on the way.`,
    `Run \`mayfly doctor --mail\`, and send a mail from an account elsewhere to the address that it prints.`,
  );
}

function judge(
  { at, remoteAddress, tls, authentication }: ArrivalFacts,
  found: ReturnType<typeof findingsOf>,
): Finding {
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const came = `Mail came from ${remoteAddress} at ${time}`;
  if (tls === null) {
    return found.warning(
      `${came}, in the clear.`,
      'Look for a firewall before port 25 that removes STARTTLS; else the sender has no TLS.',
    );
  }
  if (!authentication) return found.ok(`${came}, by ${tls}.`);
  const results = Object.entries(authentication).map(([name, result]) => `${name.toUpperCase()} ${result}`);
  const words = `${came}, by ${tls}, with ${results.join(', ')}.`;
  return Object.values(authentication).every((result) => result === 'temperror')
    ? found.warning(words, 'Check the name servers of this machine, or set MAYFLY_DNS_SERVERS.')
    : found.ok(words);
}
