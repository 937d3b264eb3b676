// The listener for plain HTTP beside HTTPS: redirects to it, and answers validating servers of a certificate authority
// (RFC 8555 §8.3). Serves nothing else.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HttpConnections, HttpConnectionsOptions } from './http-connections.ts';
import { parseHost } from './host-guard.ts';
import { defaultProgress, defaultTimeouts, headersMaxBytes } from './server-limits.ts';

export interface RedirectSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Descriptor of a listening socket to take over, in place of host and port. */
  readonly socket: number | undefined;
  /** An origin, or ''. */
  readonly publicUrl: string;
  readonly connectionsPerAddressMax: number;
}

export interface RedirectServerOptions {
  readonly settings: RedirectSettings;
  /** The port of HTTPS. */
  readonly httpsPort: () => number;
  /** Whether HTTPS has a certificate for the host. */
  readonly serves: (host: string) => boolean;
  readonly answerHttp: (token: string) => Promise<string | undefined>;
  readonly connect: (
    options: Pick<HttpConnectionsOptions, 'limits' | 'progress' | 'isProxy'>,
  ) => HttpConnections;
  readonly onFault: (error: unknown) => void;
}

export interface RedirectServer {
  readonly address: { readonly host: string; readonly port: number };
  close(): Promise<void>;
}

/** All are short; within the reserve of descriptors. */
const connectionsMax = 100;
const challengePath = '/.well-known/acme-challenge/';

/** @throws Error when it cannot listen on the address */
export async function createRedirectServer(options: RedirectServerOptions): Promise<RedirectServer> {
  const { settings, connect, onFault } = options;
  const { connectionsPerAddressMax } = settings;
  const connections = connect({
    limits: { connectionsMax, connectionsPerAddressMax, unreadMaxBytes: Infinity },
    progress: defaultProgress,
    isProxy: () => false,
  });
  const server = createServer({
    headersTimeout: defaultTimeouts.headersMs,
    requestTimeout: defaultTimeouts.headersMs,
    keepAliveTimeout: 1000,
    connectionsCheckingInterval: defaultTimeouts.checkMs,
    maxHeaderSize: headersMaxBytes,
  });
  server.setTimeout(defaultTimeouts.headersMs);
  connections.attach(server, (request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      onFault(error);
      end(response, 500, {});
    });
  });
  const { host, port, socket } = settings;
  await once(server.listen(socket === undefined ? { host, port } : { fd: socket }), 'listening');
  const address = server.address() as AddressInfo;
  return {
    address: { host: address.address, port: address.port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          connections.close();
          resolve();
        });
        server.closeIdleConnections();
        connections.closeUnused();
      }),
  };
}

async function answer(
  options: RedirectServerOptions,
  { url = '', method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && url.startsWith(challengePath)) {
    const text = await options.answerHttp(url.slice(challengePath.length));
    if (text === undefined) end(response, 404, {});
    else end(response, 200, { 'content-type': 'text/plain' }, text);
    return;
  }
  const target = url.startsWith('/') ? toOrigin(options, headers.host ?? '') : undefined;
  if (target === undefined) end(response, 400, {});
  // The method and body of anything else have been sent in the clear; a client that is redirected would go on so.
  else if (!isRead) end(response, 403, {}, 'Use HTTPS.\n');
  else end(response, 308, { location: target + url });
}

/** The host asked for, if it has a certificate, or else the public one. */
function toOrigin({ settings, serves, httpsPort }: RedirectServerOptions, asked: string): string | undefined {
  const host = parseHost(asked);
  if (settings.publicUrl !== '' && (!host || !serves(host.name))) return settings.publicUrl;
  if (!host) return undefined;
  const name = host.name.includes(':') ? `[${host.name}]` : host.name;
  const port = httpsPort();
  return `https://${name}${port === 443 ? '' : `:${port}`}`;
}

function end(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body = '',
): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(body),
    ...(body === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
    ...headers,
  });
  response.end(body);
}
