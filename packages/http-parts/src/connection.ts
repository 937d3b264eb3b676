// One connection of the HTTP listener: its current request, the waiting ones, and whether its client reads.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A waiting request, and the room that it holds. */
interface WaitingExchange extends Exchange {
  readonly release: () => void;
}

export interface ConnectionOptions {
  /** Whether the peer is a proxy that the operator named, which carries many clients' requests. */
  readonly isProxy: boolean;
  /** The networks it counts against; empty for a proxy. */
  readonly networks: readonly string[];
  /** Releases its place; may be called twice. */
  readonly leave: () => void;
}

/** The minimum progress of a client in reading a waiting answer. */
export interface Progress {
  readonly windowMs: number;
  readonly bytes: number;
}

export class Connection {
  /** The accepted socket. */
  readonly raw: Socket;
  readonly isProxy: boolean;
  readonly networks: readonly string[];
  readonly leave: () => void;
  /** Whether an answer is in progress. */
  isBusy = false;
  readonly waiting: WaitingExchange[] = [];
  #socket: Socket;
  // For a client with unread data: since when, and how much it had read then.
  #watchedAt: number | undefined;
  #takenThen = 0;
  #movedAt = 0;
  #takenLast = 0;

  constructor(socket: Socket, { isProxy, networks, leave }: ConnectionOptions) {
    this.raw = socket;
    this.#socket = socket;
    this.isProxy = isProxy;
    this.networks = networks;
    this.leave = leave;
  }

  /** The socket of requests and answers: the accepted one, or what decrypts it. */
  get socket(): Socket {
    return this.#socket;
  }

  encrypt(secure: Socket): void {
    this.#socket = secure;
  }

  /** Returns true once the client has had unread data for a whole window and has read almost nothing in that time. */
  isStalled(now: number, { windowMs, bytes }: Progress): boolean {
    const taken = this.#look(now);
    if (taken === undefined || now - (this.#watchedAt ?? now) < windowMs) return false;
    if (taken - this.#takenThen < bytes) return true;
    this.#watch(now, taken);
    return false;
  }

  /** Returns how long the client has read none of its waiting data; 0 when nothing is waiting. */
  stillFor(now: number): number {
    return this.#look(now) === undefined ? 0 : now - this.#movedAt;
  }

  /** Returns the bytes the client has read; undefined when nothing is waiting. */
  #look(now: number): number | undefined {
    const { socket } = this;
    if (socket.writableLength === 0) {
      this.#watchedAt = undefined;
      return undefined;
    }
    const taken = socket.bytesWritten - socket.writableLength;
    if (this.#watchedAt === undefined) this.#watch(now, taken);
    if (taken !== this.#takenLast) {
      this.#takenLast = taken;
      this.#movedAt = now;
    }
    return taken;
  }

  #watch(now: number, taken: number): void {
    this.#watchedAt = now;
    this.#takenThen = taken;
    this.#movedAt = now;
    this.#takenLast = taken;
  }
}
