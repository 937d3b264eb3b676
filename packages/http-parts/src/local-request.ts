// Decides whether a request was sent by a program on this machine itself. Programs there may create capture sessions
// without a key, so every doubt counts against it: a caller behind a proxy, a tunnel or a web page is not local.
// The only place that decides this.

import type { IncomingHttpHeaders } from 'node:http';

import { isLoopback } from '../../networks/src/client-network.ts';
import { isForeignPage } from './own-page.ts';
import { isLoopbackName, parseHost } from './host-guard.ts';

export interface LocalRequest {
  /** The socket's remote address. */
  readonly peer: string;
  readonly httpVersion: string;
  /** As received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** Fields of our own clients and of scripts; no proxy is known to add them. */
const clientFields: ReadonlySet<string> = new Set(['x-api-key', 'x-requested-with']);

/**
 * Names of fields by which proxies, tunnels and content networks pass on whom they act for. New ones appear all the
 * time, mostly with `X-` or with the word `ip`, so those are refused as a kind.
 */
const forwardingField =
  /^(?:x-|forwarded|via$|cf-|fly-|fastly-|akamai-|cloudfront-|front-end-|wl-|proxy-|incap-|ngrok-|tailscale-|cdn-|surrogate-|remote-)|(?:^|[-_])(?:ips?|addr|clientips?|forwarded)(?:[-_]|$)/;

/** Reports whether nothing speaks against the request being local, for a service without a public URL. */
export function isLocalRequest({ peer, httpVersion, target, headers }: LocalRequest): boolean {
  const host = parseHost(headers.host ?? '');
  return (
    isLoopback(peer) &&
    host !== undefined &&
    isLoopbackName(host.name) &&
    // In absolute form, requests are meant for a proxy.
    target.startsWith('/') &&
    // HTTP/1.0 is how proxies such as nginx speak by default, without any field of their own.
    httpVersion !== '1.0' &&
    !isForeignPage(headers) &&
    !Object.keys(headers).some((name) => forwardingField.test(name) && !clientFields.has(name))
  );
}
