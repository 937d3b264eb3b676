// Signed requests to one ACME server for one account (RFC 8555 §6): nonces, problems, and the account itself. The
// caller supplies what carries the requests, so nothing here opens a connection.

import type { KeyObject } from 'node:crypto';

import { type ExternalAccount, type JwsHeader, signBinding, signJws, toJwk } from './json-web-signature.ts';
import { AcmeProblem, AcmeProtocolError, readProblem } from './problem.ts';
import { type Directory, readDirectory, toUrl } from './read-objects.ts';

export interface AcmeRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AcmeResponse {
  /** Any; redirects are not followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Also of refusals. The transport bounds its size. */
  readonly body: Uint8Array;
}

/** Carries one request; rejects when there was no answer. */
export type AcmeTransport = (request: AcmeRequest) => Promise<AcmeResponse>;

/** A successful answer. */
export interface AcmeAnswer {
  /** Undefined unless the body is JSON. */
  readonly json: unknown;
  readonly text: string;
  readonly location: string | undefined;
  readonly retryAfterMs: number | undefined;
}

export interface AcmeClientOptions {
  readonly transport: AcmeTransport;
  readonly directoryUrl: string;
  /** Private, on P-256. */
  readonly accountKey: KeyObject;
  /** Names the program, as §6.1 requires. */
  readonly userAgent: string;
  /** ms since 1970. */
  readonly clock: () => number;
}

export interface NewAccount {
  /** An e-mail address; `''` for none. */
  readonly email: string;
  readonly externalAccount: ExternalAccount | undefined;
}

/** A server that takes every twentieth nonce for bad needs one or two attempts; one that takes all is broken. */
const badNoncesMax = 20;
const noncesKept = 10;

export class AcmeClient {
  readonly #options: AcmeClientOptions;
  readonly #nonces: string[] = [];
  #directory: Promise<Directory> | undefined;

  constructor(options: AcmeClientOptions) {
    this.#options = options;
  }

  /** Asked for once. */
  directory(): Promise<Directory> {
    return (this.#directory ??= this.get(this.#options.directoryUrl).then(({ json }) => readDirectory(json)));
  }

  /** Reads what needs no account: the directory, renewal information. @throws AcmeProblem */
  async get(url: string): Promise<AcmeAnswer> {
    return this.#take(await this.#send({ url, method: 'GET', headers: {} }));
  }

  /**
   * Registers the key, or finds its account. By doing so the operator agrees to the server's terms.
   * @returns the account's URL
   * @throws AcmeProblem
   */
  async register({ email, externalAccount }: NewAccount): Promise<string> {
    const { newAccount, needsExternalAccount } = await this.directory();
    const jwk = toJwk(this.#options.accountKey);
    if (needsExternalAccount && !externalAccount) {
      throw new AcmeProblem({
        type: 'externalAccountRequired',
        detail: 'The server needs the key id and the HMAC key of an account with it.',
        status: 0,
        names: [],
        retryAfterMs: undefined,
      });
    }
    const payload = {
      termsOfServiceAgreed: true,
      ...(email === '' ? {} : { contact: [`mailto:${email}`] }),
      ...(externalAccount ? { externalAccountBinding: signBinding(externalAccount, newAccount, jwk) } : {}),
    };
    const { location } = await this.#post(newAccount, { jwk }, payload);
    return toUrl(location, 'the account');
  }

  /** @param payload null for a request that only reads (POST-as-GET, §6.3). @throws AcmeProblem */
  post(accountUrl: string, url: string, payload: object | null): Promise<AcmeAnswer> {
    return this.#post(url, { kid: accountUrl }, payload);
  }

  async #post(
    url: string,
    signer: { readonly jwk: ReturnType<typeof toJwk> } | { readonly kid: string },
    payload: object | null,
  ): Promise<AcmeAnswer> {
    for (let badNonces = 0; ; badNonces++) {
      const header: JwsHeader = { ...signer, nonce: await this.#takeNonce(), url };
      const body = signJws(this.#options.accountKey, header, payload);
      const headers = { 'content-type': 'application/jose+json' };
      const response = await this.#send({ url, method: 'POST', headers, body });
      try {
        return this.#take(response);
      } catch (error) {
        // The refusal brings a fresh nonce (§6.5).
        const isBadNonce = error instanceof AcmeProblem && error.type === 'badNonce';
        if (!isBadNonce || badNonces >= badNoncesMax) throw error;
      }
    }
  }

  async #takeNonce(): Promise<string> {
    const kept = this.#nonces.pop();
    if (kept !== undefined) return kept;
    const { newNonce } = await this.directory();
    // Some servers answer GET with 204, as §7.2 says.
    this.#take(await this.#send({ url: newNonce, method: 'GET', headers: {} }));
    const nonce = this.#nonces.pop();
    if (nonce === undefined) throw new AcmeProtocolError('The server gave no nonce.');
    return nonce;
  }

  async #send(request: AcmeRequest): Promise<AcmeResponse> {
    const headers = { 'user-agent': this.#options.userAgent, ...request.headers };
    const response = await this.#options.transport({ ...request, headers });
    const nonce = response.headers['replay-nonce'];
    const isNonce = typeof nonce === 'string' && /^[A-Za-z0-9_-]{1,512}$/.test(nonce);
    // The newest is used first: servers forget old ones.
    if (isNonce) this.#nonces.push(nonce);
    if (this.#nonces.length > noncesKept) this.#nonces.shift();
    return response;
  }

  /** @throws AcmeProblem */
  #take({ status, headers, body }: AcmeResponse): AcmeAnswer {
    const { clock } = this.#options;
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
    const json = parseJson(text);
    const retryAfterMs = readRetryAfter(headers, clock());
    if (status < 200 || status > 299) throw readProblem(json, { status, retryAfterMs });
    const { location } = headers;
    return { json, text, location: typeof location === 'string' ? location : undefined, retryAfterMs };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A certificate, or the page of a proxy in between: readers check what they get.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Reads the time that a server asks for in Retry-After (RFC 9110 §10.2.3). A date is read against the server's own
 * clock, so that a wrong clock here changes nothing.
 * @param headers names in lower case
 * @returns undefined when there is none that can be read
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  now: number,
): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = /^[A-Z][a-z]+day, |^[A-Z][a-z]{2},? /.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(at)) return undefined;
  const { date } = headers;
  const serverNow = typeof date === 'string' ? Date.parse(date) : NaN;
  return Math.max(0, at - (Number.isNaN(serverNow) ? now : serverNow));
}
