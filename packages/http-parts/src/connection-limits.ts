// Limits of one HTTP listener's connections, and of memory held for clients that do not read.

import { networkShares } from '../../networks/src/network-shares.ts';
import type { Allotment } from '../../networks/src/shared-budget.ts';

export interface ConnectionLimits {
  /** The most connections at once. */
  readonly connectionsMax: number;
  /** The most from one IPv4 address or IPv6 /64; a /24 or /48 gets twice as many. Infinity for no limit. */
  readonly connectionsPerAddressMax: number;
  /** Bytes of unread answers. */
  readonly unreadMaxBytes: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  connectionsMax: 25_000,
  connectionsPerAddressMax: 250,
  unreadMaxBytes: 256 * 1024 * 1024,
};

/** Less than elsewhere: a connection holds memory for as long as it is open. */
const wideFactor = 2;

/** The divisor for an address's share of all connections and bytes, however large its own limit is. */
const addressPart = 4;

export function connectionsOfAddress({ connectionsMax, connectionsPerAddressMax }: ConnectionLimits): number {
  if (connectionsPerAddressMax === Infinity) return Infinity;
  return Math.min(connectionsPerAddressMax, Math.max(1, Math.floor(connectionsMax / addressPart)));
}

export interface UnreadShares {
  readonly session: number;
  readonly address: number;
}

/** A session may have an eighth of all bytes, and an address a quarter. */
export function unreadShares({ connectionsPerAddressMax, unreadMaxBytes }: ConnectionLimits): UnreadShares {
  if (connectionsPerAddressMax === Infinity) return { session: Infinity, address: Infinity };
  return { session: unreadMaxBytes / (2 * addressPart), address: unreadMaxBytes / addressPart };
}

/** Requests that may wait on one connection for earlier answers; beyond it the connection is cut. */
export const waitingPerConnectionMax = 1000;
/** The same for all connections of an address, and for all there are. A waiting request takes about 5 KB. */
export const waitingPerAddressMax = 2500;
export const waitingMax = 8000;

/** This many are always allowed. */
export const harmlessWaiting = 16;
/**
 * Connections cut for flooding, per address and per /24 or /48, before all its connections are cut and new ones
 * refused.
 */
export const floodsPerMinute = 1;
export const wideFloodsPerMinute = 4;

/** `max` for the network of an address, twice as much for the wider one around it. */
export function sharesOf(address: string, max: number): readonly Allotment[] {
  return networkShares(address, max, wideFactor);
}
