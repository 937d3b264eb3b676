// Finds the client behind reverse proxies. The same as packages/networks/src/client-address.ts of the service, which a test compares:
// this package is published without the service.

import { isIP } from 'node:net';

import { isListed, plainAddress, toBlockList } from './addresses.ts';

export interface ProxySettings {
  /** Addresses and blocks; empty for no proxy. */
  readonly trustedProxies: readonly string[];
  readonly proxyHeader: 'x-forwarded-for' | 'forwarded';
}

/** `peer`: the socket's remote address. `field`: the configured header field, with repeated ones joined by commas. */
export type ReadClientAddress = (peer: string, field: string | undefined) => string;

/** The most proxies in a row that are followed. */
const hopsMax = 16;

/** Returns a test for whether a remote address is a proxy. @throws Error for an invalid address or block */
export function createProxyCheck(trustedProxies: readonly string[]): (peer: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = toBlockList(trustedProxies);
  return (peer) => {
    const address = plainAddress(peer);
    return isIP(address) !== 0 && isListed(trusted, address);
  };
}

/** @throws Error for an invalid address or block */
export function createClientAddressReader({ trustedProxies, proxyHeader }: ProxySettings): ReadClientAddress {
  if (trustedProxies.length === 0) return plainAddress;
  const isTrusted = createProxyCheck(trustedProxies);
  const readHops = proxyHeader === 'forwarded' ? readForwarded : readForwardedFor;
  return (peer, field) => {
    let address = plainAddress(peer);
    if (field === undefined || !isTrusted(address)) return address;
    const hops = readHops(field);
    for (let at = hops.length - 1; at >= 0 && at >= hops.length - hopsMax; at--) {
      const named = parseNode(hops[at] ?? '');
      // For `unknown`, a pseudonym or an invalid value, the proxy that wrote it is the last known address.
      if (named === undefined) return address;
      address = named;
      if (!isTrusted(address)) return address;
    }
    return address;
  };
}

function readForwardedFor(field: string): string[] {
  return field.split(',').map((hop) => hop.trim());
}

/** Returns the `for` of each element of a Forwarded field (RFC 7239 §4); '' where it has none. */
function readForwarded(field: string): string[] {
  const hops = [''];
  // Skips white space as a whole: retrying from each of its characters would take quadratic time.
  for (const [, comma, name = '', quoted, token = ''] of field.matchAll(
    /\s+|(,)|(?<![A-Za-z])([A-Za-z]{1,20})=(?:"((?:[^"\\]|\\.){0,200})"|([^\s",;]{0,200}))(?=\s*(?:[,;]|$))|[^]/g,
  )) {
    if (comma !== undefined) hops.push('');
    else if (name.toLowerCase() === 'for') {
      hops[hops.length - 1] = (quoted ?? token).replace(/\\(.)/g, '$1');
    }
  }
  return hops;
}

/** Parses an address with or without a port, as both fields write it (RFC 7239 §6); undefined for anything else. */
function parseNode(text: string): string | undefined {
  const [, inBrackets, plain] =
    /^(?:\[([^\]]{2,45})\](?::\d{1,5})?|([0-9.]{7,15})(?::\d{1,5})?)$/.exec(text) ?? [];
  const address = plainAddress(inBrackets ?? plain ?? text);
  return isIP(address) === 0 ? undefined : address;
}
