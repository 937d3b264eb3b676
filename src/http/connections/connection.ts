// One connection of the HTTP listener: which request on it is under way, which wait for it, and whether its client
// takes what is written to it. Kept by http-connections.ts.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A request whose turn has not come, and what it holds of the room for such. */
interface WaitingExchange extends Exchange {
  readonly giveBack: () => void;
}

export interface ConnectionOptions {
  /** A reverse proxy that the operator named: its requests are many clients'. */
  readonly isProxy: boolean;
  /** What it counts against; empty for a proxy. */
  readonly networks: readonly string[];
  /** Gives its place back; safe to call twice. */
  readonly leave: () => void;
}

/** How much of what waits for it a client has to take in so long a time. */
export interface Progress {
  readonly windowMs: number;
  readonly bytes: number;
}

export class Connection {
  readonly socket: Socket;
  readonly isProxy: boolean;
  readonly networks: readonly string[];
  readonly leave: () => void;
  /** Its answer is not out yet. */
  isBusy = false;
  readonly waiting: WaitingExchange[] = [];
  // Of a client that leaves something unread: since when, and how much it had taken then.
  #watchedAt: number | undefined;
  #takenThen = 0;
  #movedAt = 0;
  #takenLast = 0;

  constructor(socket: Socket, { isProxy, networks, leave }: ConnectionOptions) {
    this.socket = socket;
    this.isProxy = isProxy;
    this.networks = networks;
    this.leave = leave;
  }

  /** True once its client has left something unread for a whole window and has taken next to nothing in it. */
  isStalled(now: number, { windowMs, bytes }: Progress): boolean {
    const taken = this.#look(now);
    if (taken === undefined || now - (this.#watchedAt ?? now) < windowMs) return false;
    if (taken - this.#takenThen < bytes) return true;
    this.#watch(now, taken);
    return false;
  }

  /** How long its client has taken nothing of what waits for it; 0 where nothing waits. */
  stillFor(now: number): number {
    return this.#look(now) === undefined ? 0 : now - this.#movedAt;
  }

  /** Bytes the client has taken; undefined where nothing waits for it. */
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
