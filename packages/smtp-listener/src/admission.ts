// Decides whether a peer may connect, name a recipient or send a message now, based on connection caps, rates, and free
// disk and memory. One Admission serves the whole listener. No network can starve the others.

import { GcraLimiter, type Rate } from '../../networks/src/gcra-limiter.ts';
import { NetworkLimiter } from '../../networks/src/network-limiter.ts';
import {
  isLoopback,
  normaliseAddress,
  toClientNetwork,
  toWideNetwork,
} from '../../networks/src/client-network.ts';
import { replies, type Reply } from '../../mail-receiver/src/reply.ts';
import type { Logger } from '../../telemetry/src/logger.ts';
import type { Vitals } from '../../telemetry/src/vitals.ts';
import type { Newcomer } from '../../mail-receiver/src/find-victim.ts';

export interface AdmissionSettings {
  /** The most connections at once; Infinity means no limit, as everywhere here. */
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** The most connections from one IPv4 /24 or IPv6 /48. */
  readonly connectionsPerSiteMax?: number;
  readonly connectsPerMinute: number;
  readonly messagesPerMinute: number;
  /** The most unknown recipients that one network may name, over all its connections. */
  readonly unknownRecipientsPerMinute?: number;
  /** The most bytes of incomplete messages, over all connections. */
  readonly inFlightMaxBytes: number;
  /** The share of these bytes that one network, or one site, may have. */
  readonly inFlightPerAddressMaxBytes?: number;
  readonly inFlightPerSiteMaxBytes?: number;
}

export interface AdmissionOptions {
  readonly settings: AdmissionSettings;
  readonly vitals: Pick<Vitals, 'isOverloaded' | 'isDiskLow'>;
  /** Ends a connection that has done less than a new one may. Reports whether there was one. */
  readonly makeRoom: (newcomer: Newcomer) => boolean;
}

/** Messages larger than this may not use the last quarter of the room, which is kept for ordinary mail. */
const largeBytes = 1024 * 1024;
const largeShare = 0.75;
/** The most refused and ended sockets that may wait for their peers to close. */
const lingeringMax = 256;

interface Holding {
  readonly key: string;
  connections: number;
  bytes: number;
}

/** The holdings that a connection counts against: of its network, and of the larger site that contains it. */
export interface PeerHoldings {
  readonly own: Holding;
  readonly site: Holding;
}

export class Admission {
  readonly #settings: Required<AdmissionSettings>;
  readonly #vitals: AdmissionOptions['vitals'];
  readonly #makeRoom: (newcomer: Newcomer) => boolean;
  readonly #connects: NetworkLimiter;
  readonly #messages: GcraLimiter;
  readonly #guesses: NetworkLimiter;
  readonly #networks = new Holdings();
  readonly #sites = new Holdings();
  #connections = 0;
  #inFlightBytes = 0;
  #lingering = 0;

  constructor({ settings, vitals, makeRoom }: AdmissionOptions) {
    this.#settings = {
      connectionsPerSiteMax: Infinity,
      unknownRecipientsPerMinute: Infinity,
      inFlightPerAddressMaxBytes: Infinity,
      inFlightPerSiteMaxBytes: Infinity,
      ...settings,
    };
    const { connectsPerMinute, messagesPerMinute, unknownRecipientsPerMinute } = this.#settings;
    this.#vitals = vitals;
    this.#makeRoom = makeRoom;
    this.#connects = new NetworkLimiter(perMinute(connectsPerMinute));
    this.#messages = new GcraLimiter(perMinute(messagesPerMinute));
    this.#guesses = new NetworkLimiter(perMinute(unknownRecipientsPerMinute));
  }

  /** Reports whether so many connections are open that slow ones must end sooner. */
  get isCrowded(): boolean {
    return this.#connections > 0.8 * this.#settings.connectionsMax;
  }

  /** Reports whether incomplete messages must arrive at a minimum rate. */
  get isPressed(): boolean {
    return this.isCrowded || this.#inFlightBytes > 0.5 * this.#settings.inFlightMaxBytes;
  }

  /** The bytes reserved by incomplete messages. */
  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /**
   * Counts a connection from `network` in `site`, or returns the reply that refuses it. Pair every counted connection
   * with `leave`. Rates do not apply to a local peer: they are there for strangers.
   */
  enter(network: string, site = network, isLocal = false): Reply | undefined {
    const settings = this.#settings;
    if (this.#vitals.isOverloaded()) return replies.overloaded;
    if (this.#networks.connectionsOf(network) >= settings.connectionsPerAddressMax) {
      return replies.tooManyFromAddress;
    }
    if (this.#sites.connectionsOf(site) >= settings.connectionsPerSiteMax) return replies.tooManyFromNetwork;
    const spent = isLocal ? undefined : this.#connects.spend(network, site);
    if (spent) return spent === 'wide' ? replies.tooManyFromNetwork : replies.tooManyFromAddress;
    if (this.#connections >= settings.connectionsMax) {
      const newcomer = { siteConnections: this.#sites.connectionsOf(site) };
      if (!this.#makeRoom(newcomer)) return replies.tooManyConnections;
    }
    this.#connections += 1;
    this.#networks.enter(network);
    this.#sites.enter(site);
    return undefined;
  }

  leave(network: string, site = network): void {
    this.#connections -= 1;
    this.#networks.leave(network);
    this.#sites.leave(site);
  }

  /** Returns the holdings of a counted connection's network and site. */
  placeOf(network: string, site = network): PeerHoldings {
    return { own: this.#networks.get(network), site: this.#sites.get(site) };
  }

  admitTransaction(network: string): Reply | undefined {
    return this.#messages.take(network).isAllowed ? undefined : replies.slowDown;
  }

  /**
   * Refuses every recipient, known or not, once the network has named too many unknown ones, so that guessing reveals
   * nothing more.
   */
  admitRecipient({ own, site }: PeerHoldings): Reply | undefined {
    return this.#guesses.isSpent(own.key, site.key) ? replies.tooManyUnknownOfNetwork : undefined;
  }

  recordUnknownRecipient({ own, site }: PeerHoldings): void {
    this.#guesses.spend(own.key, site.key);
  }

  /** Decides whether a message of the declared size may begin. Reserves nothing yet. */
  admitMessage(bytes: number, place?: PeerHoldings): Reply | undefined {
    return this.#vitals.isDiskLow() || !this.#hasRoom(Math.max(1, bytes), place, 0)
      ? replies.storageFull
      : undefined;
  }

  /** Reserves room for received bytes of a message that already holds `heldBytes`. Release exactly as many. */
  reserve(bytes: number, place?: PeerHoldings, heldBytes = 0): Reply | undefined {
    if (this.#vitals.isDiskLow() || !this.#hasRoom(bytes, place, heldBytes)) return replies.storageFull;
    this.#addInFlight(bytes, place);
    return undefined;
  }

  release(bytes: number, place?: PeerHoldings): void {
    this.#addInFlight(-bytes, place);
  }

  /**
   * Counts a socket that waits for its peer to close; returns false when too many do. Pair each true with a release.
   */
  holdLingering(): boolean {
    if (this.#lingering >= lingeringMax) return false;
    this.#lingering += 1;
    return true;
  }

  releaseLingering(): void {
    this.#lingering -= 1;
  }

  #hasRoom(bytes: number, place: PeerHoldings | undefined, heldBytes: number): boolean {
    const { inFlightMaxBytes, inFlightPerAddressMaxBytes, inFlightPerSiteMaxBytes } = this.#settings;
    const isLarge = heldBytes + bytes > largeBytes;
    const max = isLarge ? largeShare * inFlightMaxBytes : inFlightMaxBytes;
    // One message always fits, however large.
    const fits = (usedBytes: number, bytesMax: number): boolean =>
      usedBytes <= heldBytes || usedBytes + bytes <= bytesMax;
    if (!fits(this.#inFlightBytes, max)) return false;
    return (
      !place ||
      (fits(place.own.bytes, inFlightPerAddressMaxBytes) && fits(place.site.bytes, inFlightPerSiteMaxBytes))
    );
  }

  #addInFlight(bytes: number, place: PeerHoldings | undefined): void {
    this.#inFlightBytes += bytes;
    if (!place) return;
    place.own.bytes += bytes;
    place.site.bytes += bytes;
  }
}

export interface Arrival {
  /** The connection's id. */
  readonly id: string;
  readonly address: string;
  /** Whether the address is from a proxy's header. */
  readonly isProxied: boolean;
}

/** The peer's address and the network it counts as. */
export interface Peer {
  /** The connection's id. */
  readonly id: string;
  readonly remoteAddress: string;
  readonly network: string;
  /** Whether it is on this machine and no proxy: rates do not apply to it. */
  readonly isLocal: boolean;
  /** The current counts of that network. */
  readonly place: PeerHoldings;
}

export interface PeerChecks {
  readonly admission: Admission;
  readonly isNetworkBlocked: (remoteAddress: string) => boolean;
  /** For events that strangers can cause at any rate. */
  readonly sampledLog: Pick<Logger, 'info' | 'warn'>;
}

/** Counts a connection from this address, to be paired with `leave`, or returns the reply that refuses it. */
export function admitPeer(
  { admission, isNetworkBlocked, sampledLog }: PeerChecks,
  { id, address, isProxied }: Arrival,
): Peer | Reply {
  const remoteAddress = normaliseAddress(address);
  const [network, site] = [toClientNetwork(remoteAddress), toWideNetwork(remoteAddress)];
  const isLocal = !isProxied && isLoopback(remoteAddress);
  const isBlocked = isNetworkBlocked(remoteAddress);
  const refusal = isBlocked ? replies.blockedNetwork : admission.enter(network, site, isLocal);
  if (refusal) {
    const reply = refusal.trimEnd();
    sampledLog.info('smtp.connection_refused', { connection: id, remoteAddress, reply });
    return refusal;
  }
  return { id, remoteAddress, network, isLocal, place: admission.placeOf(network, site) };
}

function perMinute(count: number): Rate {
  return { count, periodMs: 60_000 };
}

/** Counts the connections and the bytes of incomplete messages of each network, or site. */
class Holdings {
  readonly #of = new Map<string, Holding>();

  connectionsOf(key: string): number {
    return this.#of.get(key)?.connections ?? 0;
  }

  enter(key: string): void {
    this.get(key).connections += 1;
  }

  leave(key: string): void {
    const holding = this.get(key);
    holding.connections -= 1;
    if (holding.connections <= 0) this.#of.delete(key);
  }

  get(key: string): Holding {
    let holding = this.#of.get(key);
    if (!holding) {
      holding = { key, connections: 0, bytes: 0 };
      this.#of.set(key, holding);
    }
    return holding;
  }
}
