// The connections of one HTTP listener: limits their number in all and per network, orders the requests on each, and
// cuts those whose clients do not read. Node starts all requests of a connection as they arrive, possibly hundreds;
// here they are answered one at a time.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { GcraLimiter } from '../../networks/src/gcra-limiter.ts';
import { SharedBudget } from '../../networks/src/shared-budget.ts';
import { Connection, type Exchange, type Progress } from './connection.ts';
import {
  type ConnectionLimits,
  connectionsOfAddress,
  floodsPerMinute,
  harmlessWaiting,
  sharesOf,
  waitingMax,
  waitingPerAddressMax,
  waitingPerConnectionMax,
  wideFloodsPerMinute,
} from './connection-limits.ts';

export interface HttpConnectionsOptions {
  readonly limits: ConnectionLimits;
  readonly progress: Progress;
  /** Reports whether a peer is a proxy that the operator named, which is not a single client. */
  readonly isProxy: (peer: string) => boolean;
  /** Called for each connection that is refused or cut. */
  readonly onRefused: (reason: Reason) => void;
  /** Answers a connection that is refused before it has sent anything, and ends it. */
  readonly answerRefused: (socket: Socket, reason: 'address' | 'total') => void;
  /**
   * Calls `use` when the handshake has succeeded; the connection is gone when it fails or takes too long. Absent for
   * connections that are not encrypted.
   */
  readonly encrypt?: ((raw: Socket, use: (secure: Socket) => void) => void) | undefined;
}

/** Why a connection was refused or cut. */
export type Reason = 'address' | 'total' | 'idle' | 'pipelined' | 'stalled';

/** The most refused connections that receive an answer at once; further ones are closed without. */
const refusedMax = 32;
/** A client that has read nothing for this long may be cut to make room. */
const stillMs = 5000;
const roomEveryMs = 500;

export class HttpConnections {
  readonly #options: HttpConnectionsOptions;
  readonly #perAddress: number;
  readonly #open: SharedBudget;
  readonly #clients = new SharedBudget(Infinity);
  readonly #waiting = new SharedBudget(waitingMax);
  readonly #connections = new Map<Socket, Connection>();
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Set<Connection>();
  readonly #floods = new GcraLimiter({ count: floodsPerMinute, periodMs: 60_000 });
  readonly #wideFloods = new GcraLimiter({ count: wideFloodsPerMinute, periodMs: 60_000 });
  readonly #sweep: NodeJS.Timeout;
  #refused = 0;
  #madeRoomAt = -Infinity;

  constructor(options: HttpConnectionsOptions) {
    this.#options = options;
    this.#open = new SharedBudget(options.limits.connectionsMax);
    this.#perAddress = connectionsOfAddress(options.limits);
    this.#sweep = setInterval(
      () => {
        this.#cutStalled();
      },
      Math.min(5000, options.progress.windowMs / 4),
    ).unref();
  }

  get count(): number {
    return this.#connections.size;
  }

  /** Takes over the server's sockets; `handle` receives the requests of each connection one after another. */
  attach(server: Server, handle: RequestListener): void {
    const accept = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const connection = this.#admit(socket);
      if (!connection) return;
      const pass = (plain: Socket): void => {
        for (const listener of accept) listener.call(server, plain);
      };
      const { encrypt } = this.#options;
      if (!encrypt) pass(socket);
      else {
        encrypt(socket, (secure) => {
          if (this.#encrypted(connection, secure)) pass(secure);
        });
      }
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#take({ request, response }, handle);
    });
  }

  /**
   * Counts a proxied request against the client it is for, until it is answered. Returns false when that has too many.
   */
  admitRequest({ socket }: IncomingMessage, response: ServerResponse, readAddress: () => string): boolean {
    if (this.#connections.get(socket)?.isProxy !== true || this.#perAddress === Infinity) return true;
    const claim = this.#clients.claim(sharesOf(readAddress(), this.#perAddress));
    if (!claim.isHeld) return false;
    if (response.closed) claim.release();
    else response.once('close', claim.release);
    return true;
  }

  /** Cuts the connection whose client has read nothing for the longest time. Returns false when there is none. */
  makeRoom(): boolean {
    const now = performance.now();
    if (now - this.#madeRoomAt < roomEveryMs) return false;
    this.#madeRoomAt = now;
    let stillest: { connection: Connection; ms: number } | undefined;
    for (const connection of this.#connections.values()) {
      const ms = connection.stillFor(now);
      if (ms >= stillMs && ms > (stillest?.ms ?? 0)) stillest = { connection, ms };
    }
    if (stillest) this.#cut(stillest.connection, 'stalled');
    return stillest !== undefined;
  }

  /** Closes connections that never sent anything: Node does not count them as idle, but nothing is lost. */
  closeUnused(): void {
    const isEncrypting = this.#options.encrypt !== undefined;
    for (const { socket, raw } of this.#connections.values()) {
      if (socket.bytesRead === 0 || (isEncrypting && socket === raw)) raw.destroy();
    }
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  /** Returns false for a connection that was cut during the handshake. */
  #encrypted(connection: Connection, secure: Socket): boolean {
    if (!this.#connections.delete(connection.raw)) return false;
    connection.encrypt(secure);
    this.#connections.set(secure, connection);
    return true;
  }

  #admit(socket: Socket): Connection | undefined {
    const peer = socket.remoteAddress ?? '';
    const isProxy = this.#options.isProxy(peer);
    const shares = isProxy ? [] : sharesOf(peer, this.#perAddress);
    const networks = shares.map(({ key }) => key);
    if (this.#isFlooding(networks)) {
      this.#refuse(socket, 'address');
      return undefined;
    }
    let claim = this.#open.claim(shares);
    if (!claim.isHeld && !claim.spent && this.#cutIdlest()) claim = this.#open.claim(shares);
    if (!claim.isHeld) {
      this.#refuse(socket, claim.spent ? 'address' : 'total');
      return undefined;
    }
    const connection = new Connection(socket, { isProxy, networks, leave: claim.release });
    this.#connections.set(socket, connection);
    if (!isProxy) this.#idle.add(connection);
    socket.once('close', () => {
      this.#forget(connection);
    });
    return connection;
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection.socket);
    this.#idle.delete(connection);
    connection.leave();
    for (const { release } of connection.waiting.splice(0)) release();
  }

  #refuse(socket: Socket, reason: 'address' | 'total'): void {
    this.#options.onRefused(reason);
    // Before a handshake no answer could be read.
    if (this.#refused >= refusedMax || this.#options.encrypt) {
      socket.destroy();
      return;
    }
    this.#refused += 1;
    socket.once('close', () => {
      this.#refused -= 1;
    });
    this.#options.answerRefused(socket, reason);
  }

  /** At the cap, a new connection takes the place of an idle one. */
  #cutIdlest(): boolean {
    const { value: idlest } = this.#idle.values().next();
    if (idlest) this.#cut(idlest, 'idle');
    return idlest !== undefined;
  }

  #cutStalled(): void {
    const now = performance.now();
    for (const connection of this.#connections.values()) {
      if (connection.isStalled(now, this.#options.progress)) this.#cut(connection, 'stalled');
    }
  }

  #cut(connection: Connection, reason: Reason): void {
    this.#options.onRefused(reason);
    this.#forget(connection);
    // With a reset, so that unread data leaves the kernel's buffers too.
    connection.raw.resetAndDestroy();
  }

  #take(exchange: Exchange, handle: RequestListener): void {
    const connection = this.#connections.get(exchange.request.socket);
    if (!connection) return;
    if (!connection.isBusy) {
      this.#start(connection, exchange, handle);
      return;
    }
    const { waiting } = connection;
    const shares = sharesOf(connection.socket.remoteAddress ?? '', waitingPerAddressMax);
    const claim = this.#waiting.claim(shares);
    if (!claim.isHeld || waiting.length >= waitingPerConnectionMax) {
      if (claim.isHeld) claim.release();
      this.#cut(connection, 'pipelined');
      // A client that pipelines a little is harmless, even when others have taken all the room.
      const isFlood = claim.isHeld || claim.spent !== undefined || waiting.length >= harmlessWaiting;
      if (isFlood) this.#cutNetwork(connection.networks);
      return;
    }
    waiting.push({ ...exchange, release: claim.release });
  }

  /**
   * All input that a socket has read is parsed at once, possibly thousands of requests, before anything can stop it, so
   * further connections of the network are cut unread.
   */
  #cutNetwork([network, wide]: readonly string[]): void {
    if (network === undefined || wide === undefined) return;
    this.#floods.take(network);
    this.#wideFloods.take(wide);
    const spent = this.#wideFloods.isSpent(wide) ? wide : network;
    for (const other of this.#connections.values()) {
      if (other.networks.includes(spent)) this.#cut(other, 'pipelined');
    }
  }

  #isFlooding([network, wide]: readonly string[]): boolean {
    if (network === undefined || wide === undefined) return false;
    return this.#floods.isSpent(network) || this.#wideFloods.isSpent(wide);
  }

  #start(connection: Connection, { request, response }: Exchange, handle: RequestListener): void {
    connection.isBusy = true;
    this.#idle.delete(connection);
    response.once('close', () => {
      connection.isBusy = false;
      if (!this.#connections.has(connection.socket)) return;
      const next = connection.waiting.shift();
      next?.release();
      if (next) this.#start(connection, next, handle);
      else if (!connection.isProxy) this.#idle.add(connection);
    });
    handle(request, response);
  }
}
