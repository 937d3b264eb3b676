// Whose request it is behind reverse proxies. Only proxies that the operator named are believed, only in the one header
// field that they write, and only as far as the chain of named ones reaches: it is read from its end, which the nearest
// proxy wrote, and what a client put before that is never looked at. Made by the HTTP listener's part of app.ts.

import { isIP } from 'node:net';

import { normaliseAddress } from './client-network.ts';
import { isListed, toBlockList } from './public-address.ts';

export interface ProxySettings {
  /** Addresses and blocks; empty for no proxy. */
  readonly trustedProxies: readonly string[];
  readonly proxyHeader: 'x-forwarded-for' | 'forwarded';
}

/** `peer`: the socket's remote address; `field`: the chosen header field as it came, repeated ones joined by commas. */
export type ReadClientAddress = (peer: string, field: string | undefined) => string;

/** Proxies in a row that are believed. */
const hopsMax = 16;

/** Whether a socket's remote address is one of the proxies. @throws Error for what is no address or block */
export function createProxyCheck(trustedProxies: readonly string[]): (peer: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = toBlockList(trustedProxies);
  return (peer) => {
    const address = plainAddress(peer);
    return isIP(address) !== 0 && isListed(trusted, address);
  };
}

/** @throws Error for what is no address or block */
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
      // `unknown`, a pseudonym or nonsense: the proxy that wrote it is as far as anybody knows.
      if (named === undefined) return address;
      address = named;
      if (!isTrusted(address)) return address;
    }
    return address;
  };
}

/** Without the zone of a link-local address. */
function plainAddress(address: string): string {
  return normaliseAddress(address).replace(/%.*$/, '');
}

function readForwardedFor(field: string): string[] {
  return field.split(',').map((hop) => hop.trim());
}

/** The `for` of each element of a Forwarded field (RFC 7239 §4); '' where it has none. */
function readForwarded(field: string): string[] {
  const hops = [''];
  // White space is stepped over as a whole: tried from each of its places it would take time by its square.
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

/** An address, with a port or without, as both fields write it (RFC 7239 §6); undefined for anything else. */
function parseNode(text: string): string | undefined {
  const [, inBrackets, plain] =
    /^(?:\[([^\]]{2,45})\](?::\d{1,5})?|([0-9.]{7,15})(?::\d{1,5})?)$/.exec(text) ?? [];
  const address = plainAddress(inBrackets ?? plain ?? text);
  return isIP(address) === 0 ? undefined : address;
}
