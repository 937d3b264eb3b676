// Who may connect, name recipients or send a message right now: caps, rates, and what disk and memory have left. One
// for the listener; every connection asks it. No network may have so much that others have nothing.

import { GcraLimiter } from '../limits/gcra-limiter.ts';
import type { Vitals } from '../observe/vitals.ts';
import type { Newcomer } from './find-victim.ts';
import { Holdings, type PeerHoldings } from './network-holdings.ts';
import { replies, type Reply } from './reply.ts';

export interface AdmissionSettings {
  /** Infinity for none, as everywhere here. */
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** From one IPv4 /24 or IPv6 /48. */
  readonly connectionsPerSiteMax?: number;
  readonly connectsPerMinute: number;
  readonly messagesPerMinute: number;
  /** Guesses of one network, over all its connections. */
  readonly unknownRecipientsPerMinute?: number;
  /** Bytes that have come of all messages on their way in. */
  readonly inFlightMaxBytes: number;
  /** Of these bytes, what one network may have, and one site. */
  readonly inFlightPerAddressMaxBytes?: number;
  readonly inFlightPerSiteMaxBytes?: number;
}

export interface AdmissionOptions {
  readonly settings: AdmissionSettings;
  readonly vitals: Pick<Vitals, 'isOverloaded' | 'isDiskLow'>;
  /** Ends a connection that is worth less than a new one. Returns whether there was one. */
  readonly makeRoom?: (newcomer: Newcomer) => boolean;
}

const minuteMs = 60_000;
/** A site comes as fast as so many of its addresses may: one of them cannot use up what its neighbours have. */
const addressesPerSite = 10;
/** What has come of a larger message takes none of the last quarter of the room: ordinary mail finds some. */
const largeBytes = 1024 * 1024;
const largeShare = 0.75;
/** Refused and ended sockets that may wait for their peers to close. */
const lingeringMax = 256;

export class Admission {
  readonly #settings: Required<AdmissionSettings>;
  readonly #vitals: AdmissionOptions['vitals'];
  readonly #makeRoom: (newcomer: Newcomer) => boolean;
  readonly #connects: GcraLimiter;
  readonly #siteConnects: GcraLimiter;
  readonly #messages: GcraLimiter;
  readonly #guesses: GcraLimiter;
  readonly #siteGuesses: GcraLimiter;
  readonly #networks = new Holdings();
  readonly #sites = new Holdings();
  #connections = 0;
  #inFlightBytes = 0;
  #lingering = 0;

  constructor({ settings, vitals, makeRoom = () => false }: AdmissionOptions) {
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
    this.#connects = perMinute(connectsPerMinute);
    this.#siteConnects = perMinute(connectsPerMinute * addressesPerSite);
    this.#messages = perMinute(messagesPerMinute);
    this.#guesses = perMinute(unknownRecipientsPerMinute);
    this.#siteGuesses = perMinute(unknownRecipientsPerMinute * addressesPerSite);
  }

  /** Whether so many connections are used that slow ones have to go sooner. */
  get isCrowded(): boolean {
    return this.#connections > 0.8 * this.#settings.connectionsMax;
  }

  /** Whether messages on their way in have to come at a rate. */
  get isPressed(): boolean {
    return this.isCrowded || this.#inFlightBytes > 0.5 * this.#settings.inFlightMaxBytes;
  }

  /** Reserved by messages on their way in. */
  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /** Counts a connection from `network` in `site`, unless it is refused. Each one counted is left again. */
  enter(network: string, site = network): Reply | undefined {
    const settings = this.#settings;
    if (this.#vitals.isOverloaded()) return replies.overloaded;
    if (this.#networks.connectionsOf(network) >= settings.connectionsPerAddressMax) {
      return replies.tooManyFromAddress;
    }
    if (this.#sites.connectionsOf(site) >= settings.connectionsPerSiteMax) return replies.tooManyFromNetwork;
    if (!this.#siteConnects.look(site).isAllowed) return replies.tooManyFromNetwork;
    if (!this.#connects.take(network).isAllowed) return replies.tooManyFromAddress;
    this.#siteConnects.take(site);
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

  /** Of a connection that was counted. */
  placeOf(network: string, site = network): PeerHoldings {
    return { own: this.#networks.get(network), site: this.#sites.get(site) };
  }

  admitTransaction(network: string): Reply | undefined {
    return this.#messages.take(network).isAllowed ? undefined : replies.slowDown;
  }

  /**
   * Refuses every recipient, known or not, while the network has named too many that are unknown: who guesses learns
   * nothing more.
   */
  admitRecipient({ own, site }: PeerHoldings): Reply | undefined {
    const isSpent = this.#guesses.isSpent(own.key) || this.#siteGuesses.isSpent(site.key);
    return isSpent ? replies.tooManyUnknownOfNetwork : undefined;
  }

  noteUnknownRecipient({ own, site }: PeerHoldings): void {
    this.#guesses.take(own.key);
    this.#siteGuesses.take(site.key);
  }

  /** Whether a message of so many bytes, as far as its sender tells, may begin. Nothing is reserved for it yet. */
  admitMessage(bytes: number, place?: PeerHoldings): Reply | undefined {
    return this.#vitals.isDiskLow() || !this.#hasRoom(Math.max(1, bytes), place, 0)
      ? replies.storageFull
      : undefined;
  }

  /**
   * Reserves room for bytes that have come, of a message that has `heldBytes` already. What is reserved is given back by
   * the same number.
   */
  reserve(bytes: number, place?: PeerHoldings, heldBytes = 0): Reply | undefined {
    if (this.#vitals.isDiskLow() || !this.#hasRoom(bytes, place, heldBytes)) return replies.storageFull;
    this.#addInFlight(bytes, place);
    return undefined;
  }

  giveBack(bytes: number, place?: PeerHoldings): void {
    this.#addInFlight(-bytes, place);
  }

  /** Counts a socket that waits for its peer to close; false when too many do. Each one counted is let go again. */
  holdLingering(): boolean {
    if (this.#lingering >= lingeringMax) return false;
    this.#lingering += 1;
    return true;
  }

  letGoLingering(): void {
    this.#lingering -= 1;
  }

  #hasRoom(bytes: number, place: PeerHoldings | undefined, heldBytes: number): boolean {
    const { inFlightMaxBytes, inFlightPerAddressMaxBytes, inFlightPerSiteMaxBytes } = this.#settings;
    const isLarge = heldBytes + bytes > largeBytes;
    const max = isLarge ? largeShare * inFlightMaxBytes : inFlightMaxBytes;
    // There is always room for one message, however large.
    const fits = (usedBytes: number, maxBytes: number): boolean =>
      usedBytes <= heldBytes || usedBytes + bytes <= maxBytes;
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

function perMinute(count: number): GcraLimiter {
  return new GcraLimiter({ count, periodMs: minuteMs });
}
