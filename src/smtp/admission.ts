// Who may connect, begin a transaction or send a message right now: caps, rates, and what disk and memory have left.
// One for the listener; every connection asks it.

import { GcraLimiter } from '../limits/gcra-limiter.ts';
import { replies, type Reply } from './reply.ts';

export interface AdmissionSettings {
  /** Infinity for none, as everywhere here. */
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly connectsPerMinute: number;
  readonly messagesPerMinute: number;
  /** Bytes of all messages being sent at once, as declared or else as large as they may be. */
  readonly inFlightMaxBytes: number;
}

/** How the machine is doing. */
export interface Vitals {
  /** Whether the event loop is too late to serve more. */
  isOverloaded(): boolean;
  /** Whether the data folder's disk is below its floor. */
  isDiskLow(): boolean;
}

export interface AdmissionOptions {
  readonly settings: AdmissionSettings;
  readonly vitals: Vitals;
}

const minuteMs = 60_000;

export class Admission {
  readonly #settings: AdmissionSettings;
  readonly #vitals: Vitals;
  readonly #connects: GcraLimiter;
  readonly #messages: GcraLimiter;
  readonly #connectionsOf = new Map<string, number>();
  #connections = 0;
  #inFlightBytes = 0;

  constructor({ settings, vitals }: AdmissionOptions) {
    this.#settings = settings;
    this.#vitals = vitals;
    this.#connects = new GcraLimiter({ count: settings.connectsPerMinute, periodMs: minuteMs });
    this.#messages = new GcraLimiter({ count: settings.messagesPerMinute, periodMs: minuteMs });
  }

  /** Whether so many connections are used that idle ones have to go sooner. */
  get isCrowded(): boolean {
    return this.#connections > 0.8 * this.#settings.connectionsMax;
  }

  /** Reserved by messages on their way in. */
  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /** Counts a connection from `network`, unless it is refused. Each one counted is left again. */
  enter(network: string): Reply | undefined {
    const own = this.#connectionsOf.get(network) ?? 0;
    if (this.#connections >= this.#settings.connectionsMax) return replies.tooManyConnections;
    if (this.#vitals.isOverloaded()) return replies.overloaded;
    if (own >= this.#settings.connectionsPerAddressMax) return replies.tooManyFromAddress;
    if (!this.#connects.take(network).isAllowed) return replies.tooManyFromAddress;
    this.#connections += 1;
    this.#connectionsOf.set(network, own + 1);
    return undefined;
  }

  leave(network: string): void {
    this.#connections -= 1;
    const left = (this.#connectionsOf.get(network) ?? 1) - 1;
    if (left === 0) this.#connectionsOf.delete(network);
    else this.#connectionsOf.set(network, left);
  }

  admitTransaction(network: string): Reply | undefined {
    return this.#messages.take(network).isAllowed ? undefined : replies.slowDown;
  }

  /** Reserves room for a message before any of it is taken. What is reserved is given back by the same number. */
  reserve(bytes: number): Reply | undefined {
    const isFull = this.#inFlightBytes > 0 && this.#inFlightBytes + bytes > this.#settings.inFlightMaxBytes;
    if (isFull || this.#vitals.isDiskLow()) return replies.storageFull;
    this.#inFlightBytes += bytes;
    return undefined;
  }

  giveBack(bytes: number): void {
    this.#inFlightBytes -= bytes;
  }
}
