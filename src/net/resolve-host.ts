// All addresses of a host name. Names go to the name servers by c-ares, so that slow ones take none of the few threads
// that file work shares; names the operator allows are looked up as the machine does, its hosts file included.
// Used by safe-fetch.ts, which checks every address.

import { lookup, Resolver } from 'node:dns/promises';

export interface HostResolver {
  /** In the order to be tried. Rejects when there is none. */
  resolve(host: string): Promise<readonly string[]>;
}

const tryMs = 1500;
const tries = 2;

export function createHostResolver(isMachineName: (host: string) => boolean): HostResolver {
  const resolver = new Resolver({ timeout: tryMs, tries });
  return {
    async resolve(host) {
      // RFC 6761 §6.3: never a question for a name server.
      if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
      if (isMachineName(host)) return (await lookup(host, { all: true })).map(({ address }) => address);
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw (answers[0] as PromiseRejectedResult).reason;
    },
  };
}

/** Every address that the machine itself knows of a name, as a listener of that name would have it. */
export async function lookUpAll(host: string): Promise<readonly string[]> {
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))];
}
