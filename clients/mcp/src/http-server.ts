// The MCP server over streamable HTTP, at /mcp, in a process apart from the service. Requests are checked for DNS
// rebinding and limited in size before the protocol handles them.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

import {
  createClientAddressReader,
  createProxyCheck,
  type ProxySettings,
  type ReadClientAddress,
} from '#networks/client-address';
import { networkShares } from '#networks/network-shares';
import { SharedBudget } from '#networks/shared-budget';
import { Caller } from './caller.ts';
import type { Callers } from './callers.ts';
import { Connections } from './connections.ts';
import { HttpSessions, refuse } from './http-sessions.ts';
import { KeyChecks } from './key-checks.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { type Log, nameOf } from './tool-answer.ts';

const path = '/mcp';
const bodyMaxBytes = 64 * 1024;
/** Without a bound of their own: those in progress are bounded by network and by caller. */
const subscriptionsMax = 1000;
const requestsOfNetworkMax = 100;
/** A /24 or /48 may have this many times as many. */
const siteFactor = 2;
const requestsOfCallerMax = 60;

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** Where keys are checked. */
  readonly serviceUrl: string;
  /** Names allowed in Host and Origin headers, in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** The reverse proxies that are trusted to name the client. */
  readonly proxies: ProxySettings;
  /** Key for callers without one; if strangers can connect, such callers are refused. */
  readonly apiKey: string | undefined;
  readonly callers: Callers;
  readonly createServer: (caller: Caller) => McpServer;
  readonly log: Log;
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { host, port, proxies, log } = options;
  const sessions = new HttpSessions({ createServer: options.createServer, bodyMaxBytes });
  const modern = createModernHandler(options);
  const keys = new KeyChecks(options.serviceUrl);
  const ofNetworks = new SharedBudget(Infinity);
  const ofCallers = new CallerPlaces();
  const readAddress = createClientAddressReader(proxies);
  const respond = async (request: Request, { address, isDirect, isOver }: Asking): Promise<Response> => {
    const refused = check(request, options);
    if (refused) return refused;
    const claim = ofNetworks.claim(networkShares(address, requestsOfNetworkMax, siteFactor));
    if (!claim.isHeld) return tooMany();
    void isOver.then(claim.release);
    const isLocal = isDirect && isLoopback(host);
    const caller = await identify(request, { ...options, keys, address, isLocal });
    if (caller instanceof Response) return caller;
    if (!ofCallers.take(caller, isOver)) return tooMany();
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize: bodyMaxBytes })) {
      return sessions.handle(request, { caller, isOver });
    }
    // The key itself is passed only to the caller.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
    return modern.fetch(request, { authInfo });
  };
  const server = createServer(
    { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 30_000 },
    (incoming, outgoing) => {
      const asking = {
        address: clientOf(incoming, proxies, readAddress),
        isDirect: isDirect(incoming, proxies),
      };
      serve(incoming, outgoing, (request, isOver) => respond(request, { ...asking, isOver })).catch(
        (error: unknown) => {
          log(`request failed: ${nameOf(error)}`);
          outgoing.destroy();
        },
      );
    },
  );
  new Connections(createProxyCheck(proxies.trustedProxies)).attach(server);
  await listen(server, { host, port });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}${path}`,
    close: async () => {
      server.close();
      await modern.close();
      await sessions.close();
      server.closeAllConnections();
    },
  };
}

/** For the protocol of 2026, which has no sessions. */
function createModernHandler({ createServer, log }: HttpOptions): ReturnType<typeof createMcpHandler> {
  return createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra?.['caller'];
      if (!(caller instanceof Caller)) throw new Error('A request has no caller.');
      return createServer(caller);
    },
    {
      legacy: 'reject',
      maxRequestBodySize: bodyMaxBytes,
      maxSubscriptions: subscriptionsMax,
      onerror: (error) => {
        log(`protocol: ${nameOf(error)}`);
      },
    },
  );
}

/** Requests in progress, by caller. */
class CallerPlaces {
  readonly #running = new Map<Caller, number>();

  take(caller: Caller, isOver: Promise<void>): boolean {
    const running = this.#running.get(caller) ?? 0;
    if (running >= requestsOfCallerMax) return false;
    this.#running.set(caller, running + 1);
    void isOver.then(() => {
      const left = (this.#running.get(caller) ?? 1) - 1;
      if (left > 0) this.#running.set(caller, left);
      else this.#running.delete(caller);
    });
    return true;
  }
}

/** Prevents DNS rebinding: a page in a browser names its own host, whatever address that resolves to. */
function check(request: Request, { host, allowedHosts }: HttpOptions): Response | undefined {
  const names = ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host, ...allowedHosts];
  if (!validateHostHeader(request.headers.get('host'), names).ok) return refuse(403, 'Unknown Host.');
  if (!validateOriginHeader(request.headers.get('origin'), names).ok) return refuse(403, 'Foreign Origin.');
  if (new URL(request.url).pathname !== path) return refuse(404, `There is nothing here but ${path}.`);
  return undefined;
}

interface Asking {
  readonly address: string;
  /** Whether nothing shows that it came through a proxy. */
  readonly isDirect: boolean;
  /** Resolves when the answer has been sent or the connection closed. */
  readonly isOver: Promise<void>;
}

function tooMany(): Response {
  return refuse(429, 'Too many requests are in progress from there.', { 'retry-after': '5' });
}

/** A key is checked with the service before anything is kept for its caller. */
async function identify(
  request: Request,
  {
    apiKey,
    callers,
    keys,
    address,
    isLocal,
  }: HttpOptions & { readonly keys: KeyChecks; readonly address: string; readonly isLocal: boolean },
): Promise<Caller | Response> {
  const given = request.headers.get('authorization');
  const key = given === null ? undefined : /^Bearer +([\x21-\x7e]{1,200})$/i.exec(given)?.[1];
  if (key === undefined && (given !== null || !isLocal)) {
    return refuse(401, 'Give an API key: Authorization: Bearer KEY', { 'www-authenticate': 'Bearer' });
  }
  const verdict = key === undefined ? 'right' : await keys.check(key, address);
  if (verdict === 'wrong') {
    return refuse(401, 'The service does not know this API key.', { 'www-authenticate': 'Bearer' });
  }
  if (verdict === 'limited') return refuse(429, 'Too many wrong keys from there.', { 'retry-after': '60' });
  if (verdict === 'unreachable') return refuse(503, toRefusal(new Refusal('unreachable')).message);
  try {
    return callers.get(key ?? apiKey);
  } catch (error) {
    return refuse(503, toRefusal(error).message);
  }
}

function isLoopback(host: string): boolean {
  return /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|localhost)$/.test(host);
}

function clientOf(
  { socket, headers }: IncomingMessage,
  { proxyHeader }: ProxySettings,
  read: ReadClientAddress,
): string {
  const field = headers[proxyHeader];
  return read(socket.remoteAddress ?? '', Array.isArray(field) ? field.join(', ') : field);
}

/** By HTTP/1.0, proxies such as nginx speak by default, without any field of their own. */
function isDirect({ httpVersion, headers }: IncomingMessage, { trustedProxies }: ProxySettings): boolean {
  return (
    trustedProxies.length === 0 &&
    httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => /^(?:forwarded$|via$|x-forwarded-|x-real-ip$|cf-)/.test(name))
  );
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respond: (request: Request, isOver: Promise<void>) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  const isOver = new Promise<void>((resolve) => {
    outgoing.once('close', () => {
      gone.abort();
      resolve();
    });
  });
  const body = await readBody(incoming);
  const response =
    body === undefined
      ? refuse(413, `A request has at most ${bodyMaxBytes} bytes.`, { connection: 'close' })
      : await respond(toRequest(incoming, { body, signal: gone.signal }), isOver);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  // A stream may have nothing to say for long.
  outgoing.flushHeaders();
  if (response.body) await writeBody(outgoing, response.body, gone.signal);
  outgoing.end();
}

/** Returns undefined for a body that is too large, and reads no more of it. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyMaxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  { body, signal }: { readonly body: Buffer; readonly signal: AbortSignal },
): Request {
  const fields = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const takesBody = method !== 'GET' && method !== 'HEAD';
  // Only the Host header names the host; a path such as //x does not.
  const address = URL.canParse(`http://mcp.invalid${url}`)
    ? `http://mcp.invalid${url}`
    : 'http://mcp.invalid/';
  return new Request(address, {
    method,
    headers: fields,
    signal,
    ...(takesBody ? { body: new Uint8Array(body) } : {}),
  });
}

async function writeBody(
  outgoing: ServerResponse,
  body: ReadableStream<Uint8Array>,
  gone: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const cancel = (): void => {
    // Stops producing what is no longer read; the stream may have ended already.
    reader.cancel().catch(ignore);
  };
  gone.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || gone.aborted) return;
      if (!outgoing.write(value)) await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')]);
    }
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

function ignore(): void {
  // Nothing waits for it.
}

async function listen(server: Server, { host, port }: Pick<HttpOptions, 'host' | 'port'>): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}
