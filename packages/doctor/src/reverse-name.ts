// The name at which the PTR records of an address are (RFC 1035 §3.5, RFC 3596 §2.5).

import { SocketAddress } from 'node:net';

/** @param address IPv4 or IPv6, without a zone */
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
