// An HTTP client for URLs that strangers may choose. A request must not reach internal hosts: every address of the name
// is checked, the connection goes only to a checked address, redirects are not followed, and time and size are bounded.

import {
  request as requestHttp,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage as HttpAnswer,
} from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';
import type { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';

import { isListed, isPublicAddress, parseBlock, toBlockList } from './public-address.ts';
import { createHostResolver, type HostResolver } from './resolve-host.ts';
import { SafeFetchError } from './safe-fetch-error.ts';

export interface SafeFetchOptions {
  readonly schemes: readonly ('http' | 'https')[];
  /** Ports that may be connected to, whatever the scheme. */
  readonly ports: readonly number[];
  /** Host names, addresses and blocks that are allowed although they are not public. */
  readonly allow: readonly string[];
  /** For the whole exchange, including name resolution. */
  readonly timeoutMs?: number;
  readonly answerMaxBytes?: number;
  /** Replaces the system's name servers. */
  readonly resolver?: HostResolver;
  /** Certificate authorities in PEM that replace the usual ones. */
  readonly certificateAuthorities?: string;
}

export interface SafeRequest {
  /** Untrusted. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. Host and Content-Length are added here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** `status`: finished with the response header; the body is discarded unread. `any body`: also that of a refusal. */
  readonly read: 'body' | 'any body' | 'status';
  readonly signal?: AbortSignal;
}

export interface SafeAnswer {
  /** Any status, including redirects, which are not followed. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty unless it was requested and, for `body`, the status is 2xx. */
  readonly body: Buffer;
  /** The one that the server presented, verified; absent over plain HTTP. */
  readonly certificate?: X509Certificate | undefined;
}

/** Rejects with SafeFetchError. */
export type SafeFetch = (request: SafeRequest) => Promise<SafeAnswer>;

const urlMaxLength = 2048;
const defaultTimeoutMs = 5000;
const defaultAnswerMaxBytes = 64 * 1024;
const answerHeaderMaxBytes = 16 * 1024;

interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly addresses: readonly string[];
}

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { timeoutMs = defaultTimeoutMs } = options;
  const check = createTargetCheck(options);
  return async (request) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    const target = await orAborted(check(request.url), signal);
    return exchange(target, { ...request, signal }, options);
  };
}

/** @throws SafeFetchError bad_url */
export function parseTargetUrl(
  text: string,
  { schemes, ports }: Pick<SafeFetchOptions, 'schemes' | 'ports'>,
): URL {
  const url = text.length <= urlMaxLength && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new SafeFetchError('bad_url', 'Not a URL.');
  const scheme = schemes.find((name) => `${name}:` === url.protocol);
  if (scheme === undefined) {
    throw new SafeFetchError('bad_url', `Only ${schemes.join(' and ')} URLs are allowed.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchError('bad_url', 'The URL must have no user and password.');
  }
  const port = Number(url.port === '' ? (scheme === 'https' ? 443 : 80) : url.port);
  if (!ports.includes(port)) throw new SafeFetchError('bad_url', `Port ${port} is not allowed.`);
  return url;
}

/** Reports whether the list names the host of a URL: by its name, or by its address or a block around it. */
export function createAllowedHosts(allow: readonly string[]): (hostname: string) => boolean {
  const { names, blocks } = splitAllowed(allow);
  return (hostname) => {
    const host = toHost(hostname);
    return names.has(host) || (isIP(host) !== 0 && isListed(blocks, host));
  };
}

function splitAllowed(allow: readonly string[]) {
  return {
    blocks: toBlockList(allow.filter((entry) => parseBlock(entry))),
    names: new Set(allow.filter((entry) => !parseBlock(entry)).map((name) => name.toLowerCase())),
  };
}

/** Without the brackets of an IPv6 address and the dot of the root. */
function toHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function createTargetCheck(options: SafeFetchOptions): (url: string) => Promise<Target> {
  const { names: allowedNames, blocks: allowedBlocks } = splitAllowed(options.allow);
  const resolver = options.resolver ?? createHostResolver((host) => allowedNames.has(host));

  return async (text) => {
    const url = parseTargetUrl(text, options);
    const host = toHost(url.hostname);
    const addresses = isIP(host) === 0 ? await resolve(resolver, host) : [host];
    const isSafe = (address: string): boolean =>
      isPublicAddress(address) || (isIP(address) !== 0 && isListed(allowedBlocks, address));
    // One bad address is enough to refuse, since a connection might use any of them.
    if (!allowedNames.has(host) && !addresses.every(isSafe)) {
      throw new SafeFetchError('address_refused', 'The host is not one of the Internet.');
    }
    return { url, host, addresses };
  };
}

async function resolve(resolver: HostResolver, host: string): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolver.resolve(host);
  } catch (error) {
    throw new SafeFetchError('not_resolved', 'The host name does not resolve.', error);
  }
  if (addresses.length === 0) throw new SafeFetchError('not_resolved', 'The host name has no address.');
  return addresses;
}

function timedOut(): SafeFetchError {
  return new SafeFetchError('timed_out', 'The exchange took too long or was broken off.');
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(timedOut());
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Answers any look-up with the checked addresses, so that the name is not resolved a second time. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (options.all) {
      callback(null, all);
      return;
    }
    callback(null, first?.address ?? '', first?.family);
  };
}

function toRequestOptions(
  { url, host, addresses }: Target,
  request: SafeRequest,
  ca?: string,
): RequestOptions {
  return {
    method: request.method,
    host,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
    path: url.pathname + url.search,
    headers: {
      'accept-encoding': 'identity',
      ...request.headers,
      host: url.host,
      ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
    },
    lookup: pinnedLookup(addresses),
    // Use a new connection, because a kept one was checked for an earlier look-up.
    agent: false,
    maxHeaderSize: answerHeaderMaxBytes,
    // For SNI and the name in the certificate; an address has no SNI (RFC 6066 §3) and is verified as an address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}

function exchange(
  target: Target,
  request: SafeRequest & { readonly signal: AbortSignal },
  { answerMaxBytes = defaultAnswerMaxBytes, certificateAuthorities }: SafeFetchOptions,
): Promise<SafeAnswer> {
  const options = toRequestOptions(target, request, certificateAuthorities);
  return new Promise((resolve, reject) => {
    const fail = (error: SafeFetchError): void => {
      reject(error);
      finish();
    };
    const abort = (): void => {
      fail(timedOut());
    };
    const finish = (): void => {
      request.signal.removeEventListener('abort', abort);
      outgoing.destroy();
    };
    const outgoing = start(target.url, options, (incoming) => {
      readAnswer(incoming, request.read, answerMaxBytes).then((answer) => {
        resolve(answer);
        finish();
      }, fail);
    });
    // Stays in place for errors from destroying a finished exchange.
    outgoing.on('error', (error) => {
      fail(new SafeFetchError('connection_failed', `The exchange failed (${reasonOf(error)}).`, error));
    });
    request.signal.addEventListener('abort', abort, { once: true });
    if (request.signal.aborted) abort();
    else outgoing.end(request.body);
  });
}

function start(url: URL, options: RequestOptions, onAnswer: (incoming: HttpAnswer) => void): ClientRequest {
  return (url.protocol === 'https:' ? requestHttps : requestHttp)(options, onAnswer);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

async function readAnswer(
  incoming: HttpAnswer,
  read: SafeRequest['read'],
  bytesMax: number,
): Promise<SafeAnswer> {
  const { statusCode: status = 0, headers, socket } = incoming;
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  const isWanted = read === 'any body' || (read === 'body' && status >= 200 && status < 300);
  if (!isWanted) return { status, headers, body: Buffer.alloc(0), certificate };
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > bytesMax) {
        throw new SafeFetchError('answer_too_large', `The answer passes ${bytesMax} bytes.`);
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof SafeFetchError) throw error;
    throw new SafeFetchError('connection_failed', `The answer broke off (${reasonOf(error)}).`, error);
  }
  return { status, headers, body: Buffer.concat(pieces), certificate };
}
