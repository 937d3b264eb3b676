// Limits the connections of the HTTP server, in all and by network. When there is no room, the one that has been idle
// for longest makes it: a stranger who only opens connections shuts no one out.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { networkShares } from '#networks/network-shares';
import { SharedBudget } from '#networks/shared-budget';

const connectionsMax = 1024;
const perNetworkMax = 128;
/** A /24 or /48 may have this many times as many. */
const siteFactor = 2;

interface Connection {
  readonly address: string;
  readonly leave: () => void;
  /** Requests being answered. */
  busy: number;
}

export class Connections {
  readonly #isProxy: (peer: string) => boolean;
  readonly #places = new SharedBudget(Infinity);
  /** In the order of their last use, the longest idle first. */
  readonly #open = new Map<Socket, Connection>();

  /** @param isProxy connections of proxies have no limit by network: their requests are counted by client */
  constructor(isProxy: (peer: string) => boolean) {
    this.#isProxy = isProxy;
  }

  /** Call before anything else listens to the server's connections. */
  attach(server: Server): void {
    server.on('connection', (socket) => {
      this.#admit(socket);
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#note(request.socket, response);
    });
  }

  #admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.#open.size >= connectionsMax) this.#cutIdlest(() => true);
    let leave = this.#open.size < connectionsMax ? this.#place(address) : undefined;
    if (!leave && this.#cutIdlest((one) => one.address === address)) leave = this.#place(address);
    if (!leave) {
      socket.destroy();
      return;
    }
    const connection = { address, leave, busy: 0 };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      connection.leave();
    });
  }

  #place(address: string): (() => void) | undefined {
    if (this.#isProxy(address)) return () => undefined;
    const claim = this.#places.claim(networkShares(address, perNetworkMax, siteFactor));
    return claim.isHeld ? claim.release : undefined;
  }

  #note(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.busy += 1;
    this.#touch(socket, connection);
    response.once('close', () => {
      connection.busy -= 1;
      this.#touch(socket, connection);
    });
  }

  #touch(socket: Socket, connection: Connection): void {
    if (!this.#open.delete(socket)) return;
    this.#open.set(socket, connection);
  }

  /** Returns false when none that `is` wanted is idle. */
  #cutIdlest(is: (connection: Connection) => boolean): boolean {
    for (const [socket, connection] of this.#open) {
      if (connection.busy > 0 || !is(connection)) continue;
      // Its place is free at once, before its end has been heard of.
      this.#open.delete(socket);
      connection.leave();
      socket.destroy();
      return true;
    }
    return false;
  }
}
