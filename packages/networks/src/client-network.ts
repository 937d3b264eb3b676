// Maps addresses to the networks that limits apply to, since one customer controls a whole IPv6 /64.

import { isIPv4, isIPv6 } from 'node:net';

/** Returns IPv4-mapped IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`) as the IPv4 address, and others unchanged. */
export function normaliseAddress(address: string): string {
  const [, dotted, high, low] =
    /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address) ?? [];
  if (dotted !== undefined) return isIPv4(dotted) ? dotted : address;
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((group) => toOctets(parseInt(group, 16))).join('.');
}

/** Like `normaliseAddress`, without the zone of a link-local address. */
export function plainAddress(address: string): string {
  return normaliseAddress(address).replace(/%.*$/, '');
}

function toOctets(group: number): [number, number] {
  return [group >> 8, group & 255];
}

/** Reports whether an address is on the machine itself. */
export function isLoopback(address: string): boolean {
  const plain = normaliseAddress(address);
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** Returns the first 16-bit groups of an IPv6 address, with `::` expanded. */
function firstGroups(address: string, count: number): string {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted quad at the end represents two groups.
  const written = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - written;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  return groups
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Returns an IPv4 address itself, an IPv6 address's /64 as `2001:db8:0:1::/64`, and anything else unchanged. */
export function toClientNetwork(address: string): string {
  const plain = normaliseAddress(address);
  return isIPv6(plain) ? `${firstGroups(plain, 4)}::/64` : plain;
}

/**
 * Returns the widest network that one customer may own: an IPv4 address's /24, an IPv6 address's /48, and anything else
 * unchanged. Limits allow it several times as much as a network.
 */
export function toWideNetwork(address: string): string {
  // Also accepts a network in the form returned above.
  const plain = normaliseAddress(address.replace(/\/64$/, ''));
  if (isIPv4(plain)) return `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`;
  return isIPv6(plain) ? `${firstGroups(plain, 3)}::/48` : plain;
}
