// Asks the name servers of a zone itself, whose answers no cache delays.

import { Resolver } from 'node:dns/promises';

import type { Answered, ZoneRecord } from './plan-zone.ts';
import { isAnswered } from './plan-zone.ts';
import { codeOf } from '../../system-errors/src/error-code.ts';

const options = { timeout: 2000, tries: 2 };
const serversMax = 4;

export class ZoneServers {
  readonly #servers: readonly Resolver[];

  /** @param servers the addresses of each, of which those of one family may not be reachable from here */
  constructor(servers: readonly (readonly string[])[]) {
    this.#servers = servers.map((addresses) => {
      const resolver = new Resolver(options);
      resolver.setServers(addresses.map((address) => (address.includes(':') ? `[${address}]` : address)));
      return resolver;
    });
  }

  /** Whether every server that answers has the record, and at least one does. */
  async has(record: ZoneRecord): Promise<boolean> {
    // A wildcard is asked for by a name that no one has.
    const name = record.name.replace(/^\*/, 'quickstart-wildcard');
    const answers = await Promise.all(this.#servers.map((server) => ask(server, name, record.type)));
    const known = answers.filter((answer) => answer !== undefined);
    return known.length > 0 && known.every((answer) => isAnswered(record, answer));
  }
}

/** Finds the servers of the zone that the domain is in; none when the domain is not delegated, or no one answers. */
export async function findZoneServers(domain: string): Promise<ZoneServers> {
  const resolver = new Resolver(options);
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const hosts = await resolver.resolveNs(name).catch(orNone);
    if (hosts.length === 0) continue;
    const found = hosts
      .slice(0, serversMax)
      .map(async (host) => [
        ...(await resolver.resolve4(host).catch(orNone)),
        ...(await resolver.resolve6(host).catch(orNone)),
      ]);
    return new ZoneServers((await Promise.all(found)).filter((addresses) => addresses.length > 0));
  }
  return new ZoneServers([]);
}

/** The addresses of the hosts that mail for the domain goes to, the most preferred first. */
export async function findExchanges(domain: string): Promise<string[]> {
  const resolver = new Resolver(options);
  const exchanges = await resolver.resolveMx(domain).catch(orNone);
  const addresses: string[] = [];
  for (const { exchange } of exchanges.sort((one, other) => one.priority - other.priority)) {
    addresses.push(...(await resolver.resolve4(exchange).catch(orNone)));
    addresses.push(...(await resolver.resolve6(exchange).catch(orNone)));
  }
  return addresses;
}

/** There may be none yet, and a server may be away: both are asked again. */
function orNone(): never[] {
  return [];
}

/** Resolves with undefined when the server gives no answer. */
async function ask(server: Resolver, name: string, type: ZoneRecord['type']): Promise<Answered | undefined> {
  try {
    return (await server.resolve(name, type)) as Answered;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : undefined;
  }
}
