// Resolves a host name to all its addresses. Uses c-ares, so that slow name servers do not occupy the few threads
// that file operations share; names that the operator allows are resolved like the system does, including its hosts
// file. Used by safe-fetch.ts, which checks every address.

import { lookup, Resolver } from 'node:dns/promises';

export interface HostResolver {
  /** In the order to try. Rejects when there is none. */
  resolve(host: string): Promise<readonly string[]>;
}

const tryMs = 1500;
const tries = 2;

export function createHostResolver(isMachineName: (host: string) => boolean): HostResolver {
  const resolver = new Resolver({ timeout: tryMs, tries });
  return {
    async resolve(host) {
      // Never sent to a name server (RFC 6761 §6.3).
      if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
      if (isMachineName(host)) return (await lookup(host, { all: true })).map(({ address }) => address);
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw (answers[0] as PromiseRejectedResult).reason;
    },
  };
}

/** Returns every address the system has for a name, for a listener on that name. */
export async function lookUpAll(host: string): Promise<readonly string[]> {
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))];
}
