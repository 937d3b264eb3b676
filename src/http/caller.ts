// The client of a request: its address, its API key, and whether it is still connected. Made for every request by
// add-routes.ts, so everything is computed on demand.

import { setMaxListeners } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  createClientAddressReader,
  createProxyCheck,
  type ProxySettings,
  type ReadClientAddress,
} from '#networks/client-address';
import { toClientNetwork } from '#networks/client-network';
import { type SessionKey, toKeyText } from '../domain/session.ts';
import { CallerGone } from '../service/session/caller-gone.ts';
import type { Asker } from '../service/live/wait-for.ts';
import { parseHost } from '#http-parts/host-guard';
import { isLocalRequest } from '#http-parts/local-request';

/** The means by which a listener finds the client behind its proxies. */
export interface CallerSource {
  readonly readAddress: ReadClientAddress;
  /** Reports whether a socket's remote address is a proxy that the operator named. */
  readonly isProxy: (peer: string) => boolean;
  /** In lower case. */
  readonly proxyHeader: string;
  /** An origin under which people reach the service, perhaps by a proxy on this machine; '' for none. */
  readonly publicUrl: string;
}

export interface CallerSettings extends Partial<ProxySettings> {
  /** An origin, or ''. */
  readonly publicUrl?: string;
}

export function createCallerSource({
  trustedProxies = [],
  proxyHeader = 'x-forwarded-for',
  publicUrl = '',
}: CallerSettings): CallerSource {
  return {
    readAddress: createClientAddressReader({ trustedProxies, proxyHeader }),
    isProxy: createProxyCheck(trustedProxies),
    proxyHeader,
    publicUrl,
  };
}

export class Caller implements Asker {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #source: CallerSource;
  #address: string | undefined;
  #key: SessionKey | undefined;
  #gone: AbortSignal | undefined;

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

  /** Reports whether the client is a program on this machine itself, not someone behind a proxy or a page on it. */
  get isLocal(): boolean {
    const { headers, socket, raw } = this.#request;
    const peer = socket.remoteAddress ?? '';
    const { publicUrl, isProxy } = this.#source;
    if (publicUrl !== '' || isProxy(peer)) return false;
    return isLocalRequest({ peer, headers, httpVersion: raw.httpVersion, target: raw.url ?? '' });
  }

  /**
   * Origins by which the client may reach this service, for a policy: the host it names, under either scheme, and the
   * public URL. Without IPv6 addresses, which a policy cannot contain.
   */
  get ownOrigins(): readonly string[] {
    const { publicUrl } = this.#source;
    const host = parseHost(this.#request.headers.host ?? '');
    // In a policy http: stands for https: too.
    const asked =
      host === undefined || host.name.includes(':')
        ? []
        : [`http://${host.name}${host.port === '' ? '' : `:${host.port}`}`];
    return [...new Set([...asked, ...(publicUrl === '' ? [] : [publicUrl])])];
  }

  /** The network as limits count it. */
  get network(): string {
    return toClientNetwork(this.address);
  }

  /** The session it has authenticated for; undefined before that. */
  get session(): string | undefined {
    return this.#key && toKeyText(this.#key);
  }

  recordSession(key: SessionKey): void {
    this.#key = key;
  }

  /** As received, if any. */
  get apiKey(): string | undefined {
    const given = this.#request.headers['x-api-key']?.toString().trim();
    return given === '' ? undefined : given;
  }

  /** Adds header fields to the answer, whether it succeeds or fails. */
  addFields(fields: Readonly<Record<string, string>>): void {
    this.#reply.headers(fields);
  }

  get gone(): AbortSignal {
    if (this.#gone) return this.#gone;
    const ending = new AbortController();
    this.#gone = ending.signal;
    // A search may wait for many turns at once.
    setMaxListeners(0, ending.signal);
    const response = this.#reply.raw;
    const end = (): void => {
      ending.abort(new CallerGone());
    };
    if (response.destroyed) end();
    else response.once('close', end);
    return this.#gone;
  }
}
