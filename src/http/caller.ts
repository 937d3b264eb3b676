// Who asks, as far as a request tells: its address, its API key, and whether it is still there. Made for every request
// by add-routes.ts, so nothing is worked out before somebody wants to know.

import type { FastifyReply, FastifyRequest } from 'fastify';

import { type SessionKey, toKeyText } from '../domain/session.ts';
import {
  createClientAddressReader,
  createProxyCheck,
  type ProxySettings,
  type ReadClientAddress,
} from '../net/client-address.ts';
import { isLoopback, toClientNetwork } from '../net/client-network.ts';
import type { Asker } from '../service/wait-for.ts';

/** How a listener finds the client behind its proxies. */
export interface CallerSource {
  readonly readAddress: ReadClientAddress;
  /** Whether a socket's remote address is of a proxy that the operator named. */
  readonly isProxy: (peer: string) => boolean;
  /** In lower case. */
  readonly proxyHeader: string;
}

export function createCallerSource({
  trustedProxies = [],
  proxyHeader = 'x-forwarded-for',
}: Partial<ProxySettings>): CallerSource {
  return {
    readAddress: createClientAddressReader({ trustedProxies, proxyHeader }),
    isProxy: createProxyCheck(trustedProxies),
    proxyHeader,
  };
}

/** Header fields that proxies add to what they pass on, each some of them. */
const proxyFields = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-server'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'fly-client-ip', 'via'],
];

export class Caller implements Asker {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #source: CallerSource;
  #address: string | undefined;
  #key: SessionKey | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, source: CallerSource) {
    this.#request = request;
    this.#reply = reply;
    this.#source = source;
  }

  /** '' when the socket is gone. */
  get address(): string {
    const { readAddress, proxyHeader } = this.#source;
    const { headers, socket } = this.#request;
    return (this.#address ??= readAddress(socket.remoteAddress ?? '', headers[proxyHeader]?.toString()));
  }

  /**
   * Whether it is a program on the machine itself. What comes through a proxy is not, though the socket be of one:
   * neither of one that the operator named nor of one that says of itself that it stands between.
   */
  get isLocal(): boolean {
    const { headers, socket } = this.#request;
    const peer = socket.remoteAddress ?? '';
    return (
      isLoopback(peer) &&
      !this.#source.isProxy(peer) &&
      !proxyFields.some((name) => headers[name] !== undefined)
    );
  }

  /** What limits by address count it as. */
  get network(): string {
    return toClientNetwork(this.address);
  }

  /** The session it has shown to be its own; undefined before that. */
  get session(): string | undefined {
    return this.#key && toKeyText(this.#key);
  }

  noteSession(key: SessionKey): void {
    this.#key = key;
  }

  /** As it came; undefined for none. */
  get apiKey(): string | undefined {
    const given = this.#request.headers['x-api-key']?.toString().trim();
    return given === '' ? undefined : given;
  }

  /** Header fields for whatever the answer will be. */
  tell(fields: Readonly<Record<string, string>>): void {
    this.#reply.headers(fields);
  }

  onGone(listener: () => void): () => void {
    const response = this.#reply.raw;
    if (response.destroyed) {
      listener();
      return () => undefined;
    }
    response.once('close', listener);
    return () => response.off('close', listener);
  }
}
