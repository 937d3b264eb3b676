// The names that a certificate is for: domain names, and IP addresses (RFC 8738).

import { isIP } from 'node:net';

export interface Identifier {
  readonly type: 'dns' | 'ip';
  readonly value: string;
}

export function toIdentifier(name: string): Identifier {
  return { type: isIP(name) === 0 ? 'dns' : 'ip', value: name };
}

/**
 * The server name that a validating server sends for a name by TLS (RFC 8737 §3; RFC 8738 §6: addresses are written as
 * for a reverse look-up).
 */
export function toServerName(name: string): string {
  const version = isIP(name);
  if (version === 0) return name.toLowerCase();
  if (version === 4) return `${name.split('.').reverse().join('.')}.in-addr.arpa`;
  const digits = toAddressBytes(name).toString('hex');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

/** @param address IPv4 or IPv6. @returns 4 or 16 bytes */
export function toAddressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = toPlainIpv6(address).split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** Writes an IPv4 address at the end in groups of hexadecimal digits. */
function toPlainIpv6(address: string): string {
  const [, front, quad] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  if (front === undefined || quad === undefined) return address;
  const hex = Buffer.from(quad.split('.').map(Number)).toString('hex');
  return `${front}${hex.slice(0, 4)}:${hex.slice(4)}`;
}
