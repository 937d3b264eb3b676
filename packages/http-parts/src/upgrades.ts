// WebSocket handshakes on a listener. A handshake is passed through the same checks, routes and error answers as any
// request; only a route that takes the connection over writes 101. Offers to change to other protocols, such as h2c by
// Java's client, are ignored, as HTTP allows (RFC 9110 §7.8).

import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Handshake {
  readonly socket: Socket;
  /** Bytes that followed the handshake. */
  readonly head: Buffer;
}

const handshakes = new WeakMap<IncomingMessage, Handshake>();

/** For the server's option `IncomingMessage`: Node asks `upgrade` whether the parser is to let go of the connection. */
export class MessageThatUpgrades extends IncomingMessage {
  /** Found by the parser; a plain property, since the base class assigns it in its constructor. */
  isUpgradeAsked?: boolean;

  get upgrade(): boolean {
    if (this.isUpgradeAsked !== true) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(isAsked: boolean) {
    this.isUpgradeAsked = isAsked;
  }
}

export function serveUpgrades(server: Server): void {
  server.on('upgrade', (request, socket: Socket, head) => {
    handshakes.set(request, { socket, head });
    const response = new ServerResponse(request);
    // The parser is gone: no further request can come over this connection.
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    socket.on('error', () => socket.destroy());
    server.emit('request', request, response);
  });
}

/**
 * Takes the connection of a handshake from its response, whose end is then that of the connection. Undefined if the
 * request was none.
 */
export function takeHandshake(response: ServerResponse): Handshake | undefined {
  const handshake = handshakes.get(response.req);
  if (!handshake) return undefined;
  const { socket } = handshake;
  handshakes.delete(response.req);
  response.removeAllListeners('finish');
  response.detachSocket(socket);
  socket.once('close', () => response.emit('close'));
  return handshake;
}

export function isHandshake(request: IncomingMessage): boolean {
  return handshakes.has(request);
}
