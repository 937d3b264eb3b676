// A set of networks that is tested for every connection: one look-up per prefix length in use, however many networks
// there are.

import { isIP, SocketAddress } from 'node:net';

import { normaliseAddress, plainAddress } from './client-network.ts';
import { parseBlock } from './public-address.ts';

export interface NetworkSet {
  /** False for an invalid address. */
  has(address: string): boolean;
}

/** @throws Error for an invalid address or block */
export function createNetworkSet(blocks: readonly string[]): NetworkSet {
  const byLength = { 4: new Map<number, Set<bigint>>(), 6: new Map<number, Set<bigint>>() };
  for (const text of blocks) {
    const block = parseBlock(text);
    if (!block) throw new Error(`Not an address or block: ${text}`);
    const networks = byLength[block.family].get(block.prefix) ?? new Set();
    byLength[block.family].set(block.prefix, networks.add(maskOf(block)));
  }
  const isEmpty = blocks.length === 0;
  return {
    has: (text) => {
      if (isEmpty) return false;
      const address = plainAddress(text);
      const family = isIP(address);
      if (family !== 4 && family !== 6) return false;
      const lengths = byLength[family];
      if (lengths.size === 0) return false;
      const bits = toBits(address, family);
      for (const [prefix, networks] of lengths) {
        if (networks.has(bits >> BigInt((family === 4 ? 32 : 128) - prefix))) return true;
      }
      return false;
    },
  };
}

function maskOf({ address, prefix, family }: { address: string; prefix: number; family: 4 | 6 }): bigint {
  return toBits(address, family) >> BigInt((family === 4 ? 32 : 128) - prefix);
}

/** Returns the canonical spelling of a block, with host bits cleared; undefined when it is invalid. */
export function normaliseBlock(text: string): string | undefined {
  const [address = '', ...length] = text.trim().split('/');
  const block = parseBlock([normaliseAddress(address), ...length].join('/'));
  if (!block) return undefined;
  const hostBits = BigInt((block.family === 4 ? 32 : 128) - block.prefix);
  const bits = (toBits(block.address, block.family) >> hostBits) << hostBits;
  return `${fromBits(bits, block.family)}/${block.prefix}`;
}

/** Reports whether two addresses or blocks have an address in common; false for anything invalid. */
export function doBlocksOverlap(one: string, other: string): boolean {
  const [first, second] = [parseBlock(one), parseBlock(other)];
  if (!first || first.family !== second?.family) return false;
  const prefix = Math.min(first.prefix, second.prefix);
  return maskOf({ ...first, prefix }) === maskOf({ ...second, prefix });
}

function toBits(address: string, family: 4 | 6): bigint {
  if (family === 4) return address.split('.').reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n);
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const plain = dotted ? `${dotted[1] ?? ''}${toGroups(dotted[2] ?? '')}` : address;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** Converts a dotted quad to two groups. */
function toGroups(quad: string): string {
  const bits = toBits(quad, 4);
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function fromBits(bits: bigint, family: 4 | 6): string {
  const size = family === 4 ? 8n : 16n;
  const parts = Array.from({ length: family === 4 ? 4 : 8 }, (_, at) => {
    const shift = BigInt((family === 4 ? 3 : 7) - at) * size;
    return ((bits >> shift) & ((1n << size) - 1n)).toString(family === 4 ? 10 : 16);
  });
  if (family === 4) return parts.join('.');
  return new SocketAddress({ address: parts.join(':'), family: 'ipv6' }).address;
}
