// Addresses and blocks of them, as the service reads them in its settings.

import { BlockList, isIP, isIPv4 } from 'node:net';

/** Returns IPv4-mapped IPv6 as the IPv4 address, and no zone. */
export function plainAddress(address: string): string {
  const [, dotted, high, low] =
    /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address) ?? [];
  if (dotted !== undefined && isIPv4(dotted)) return dotted;
  if (high === undefined || low === undefined) return address.replace(/%.*$/, '');
  return [high, low]
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** Reports whether it is an address, or a block such as `10.0.0.0/8`. */
export function isBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
}

/** @throws Error for an invalid block */
export function toBlockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of blocks) {
    if (!isBlock(text)) throw new Error(`Not an address or block: ${text}`);
    const [address = '', length] = text.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    list.addSubnet(address, length === undefined ? (family === 'ipv4' ? 32 : 128) : Number(length), family);
  }
  return list;
}

/** Reports whether the list contains the address, which must be valid. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
