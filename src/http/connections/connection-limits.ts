// Bounds of the connections of one HTTP listener, and of what is held in memory for clients that do not read.

import type { Share } from '../../limits/shared-budget.ts';
import { toClientNetwork, toWideNetwork } from '../../net/client-network.ts';

export interface ConnectionLimits {
  /** Connections at once. */
  readonly connectionsMax: number;
  /** Of those, from one IPv4 address or IPv6 /64; a /24 or /48 gets twice as many. Infinity for none. */
  readonly connectionsPerAddressMax: number;
  /** Bytes of answers under way. */
  readonly unreadMaxBytes: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  connectionsMax: 25_000,
  connectionsPerAddressMax: 250,
  unreadMaxBytes: 256 * 1024 * 1024,
};

/** What the wider network of an address gets, as a multiple of what the address gets. */
const wideFactor = 2;

/** An address has at most this part of all connections and all bytes, however large its own limit is. */
const addressPart = 4;

export function connectionsOfAddress({ connectionsMax, connectionsPerAddressMax }: ConnectionLimits): number {
  if (connectionsPerAddressMax === Infinity) return Infinity;
  return Math.min(connectionsPerAddressMax, Math.max(1, Math.floor(connectionsMax / addressPart)));
}

export interface UnreadShares {
  readonly session: number;
  readonly address: number;
}

/** Of all bytes a session may have an eighth, an address a quarter. */
export function unreadShares({ connectionsPerAddressMax, unreadMaxBytes }: ConnectionLimits): UnreadShares {
  if (connectionsPerAddressMax === Infinity) return { session: Infinity, address: Infinity };
  return { session: unreadMaxBytes / (2 * addressPart), address: unreadMaxBytes / addressPart };
}

/** Requests that wait on one connection for the answer before theirs; beyond it the connection is cut. */
export const waitingPerConnectionMax = 1000;
/** The same of all connections of an address, and of all there are. A request that waits takes some 5 KB. */
export const waitingPerAddressMax = 2500;
export const waitingMax = 8000;

/** So many do no harm. */
export const harmlessWaiting = 16;
/** Connections cut for such, of an address and of a /24 or /48, before all of its are, and new ones are refused. */
export const floodsPerMinute = 1;
export const wideFloodsPerMinute = 4;

/** `max` for the network of an address, more for the wider one around it. */
export function sharesOf(address: string, max: number): readonly Share[] {
  if (max === Infinity) return [];
  return [
    { key: toClientNetwork(address), max },
    { key: toWideNetwork(address), max: max * wideFactor },
  ];
}
