// A certificate authority in this process, on a virtual clock: an ACME server (RFC 8555, RFC 9773) reached through the
// client's transport, which checks every request, validates by asking back, and fails on demand.

import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto';

import type { AcmeRequest, AcmeResponse } from '../../../packages/acme/src/acme-client.ts';
import { SafeFetchError } from '#networks/safe-fetch-error';
import { issueCertificate, readRequest } from './issue-certificate.ts';

export interface FakeAuthorityOptions {
  /** ms since 1970. */
  readonly now: () => number;
  /** Asks for the answer to a challenge, as a validating server does. */
  readonly validate: (type: string, token: string, name: string) => Promise<string | undefined>;
  readonly lifetimeMs?: number;
  readonly url?: string;
  readonly profiles?: readonly string[];
  readonly needsExternalAccount?: boolean;
  /** Whether it tells when to renew. */
  readonly hasRenewalInfo?: boolean;
  readonly random?: () => number;
}

interface FakeOrder {
  readonly names: readonly string[];
  readonly account: string;
  readonly authorizations: readonly FakeAuthorization[];
  readonly replaces: string | undefined;
  readonly profile: string | undefined;
  status: string;
  chain?: string;
}

interface FakeAuthorization {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  status: string;
  error?: object;
}

interface SignedRequest {
  readonly account: string;
  readonly payload: Record<string, unknown>;
}

class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly headers: Record<string, string>;
  constructor(status: number, type: string, headers: Record<string, string> = {}) {
    super(type);
    this.status = status;
    this.type = type;
    this.headers = headers;
  }
}

export class FakeAuthority {
  /** Faults to come; tests change them. */
  readonly faults = {
    /** Rejects every exchange, like a server without network. */
    isAway: false,
    badNonces: 0,
    failedValidations: 0,
    /** Names that never validate. */
    unreachable: new Set<string>(),
    /** Answers new orders with 429 and this value of Retry-After. */
    retryAfter: undefined as string | undefined,
    /** Answers everything with this status. */
    status: undefined as number | undefined,
  };
  readonly counts = {
    requests: 0,
    orders: 0,
    issued: 0,
    validations: 0,
    badNonces: 0,
    replaced: 0,
    advice: 0,
  };
  /** The window that is advised; undefined for a third of the life before its end. */
  window: { readonly from: number; readonly until: number } | undefined;
  readonly directoryUrl: string;
  readonly #options: FakeAuthorityOptions;
  readonly #origin: string;
  readonly #nonces = new Set<string>();
  readonly #accounts = new Map<string, KeyObject>();
  readonly #orders: FakeOrder[] = [];
  readonly #authorizations: FakeAuthorization[] = [];
  readonly #issuer = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  constructor(options: FakeAuthorityOptions) {
    this.#options = options;
    this.#origin = options.url ?? 'https://acme.test';
    this.directoryUrl = `${this.#origin}/directory`;
  }

  /** As AcmeClient takes it. */
  readonly transport = async (request: AcmeRequest): Promise<AcmeResponse> => {
    this.counts.requests += 1;
    if (this.faults.isAway) {
      throw new SafeFetchError('connection_failed', 'The exchange failed (ECONNREFUSED).');
    }
    try {
      if (this.faults.status !== undefined) throw new Refusal(this.faults.status, 'serverInternal');
      return await this.#answer(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#respond(
        error.status,
        { type: `urn:ietf:params:acme:error:${error.type}`, detail: `refused: ${error.type}` },
        error.headers,
      );
    }
  };

  /** Forgets the accounts, as a staging server may. */
  forgetAccounts(): void {
    this.#accounts.clear();
  }

  get orders(): readonly Readonly<FakeOrder>[] {
    return this.#orders;
  }

  async #answer(request: AcmeRequest): Promise<AcmeResponse> {
    const path = request.url.slice(this.#origin.length);
    if (path === '/directory') return this.#respond(200, this.#directory());
    if (path === '/nonce') return this.#respond(204, undefined);
    if (path.startsWith('/renewal/')) return this.#advise();
    const signed = this.#open(request, path === '/account');
    if (path === '/account') return this.#register(signed);
    if (path === '/order') return this.#newOrder(signed);
    const [, kind, number] = /^\/(\w+)\/(\d+)$/.exec(path) ?? [];
    const at = Number(number);
    if (kind === 'order') return this.#respond(200, this.#show(at));
    if (kind === 'authorization') {
      return this.#respond(200, this.#showAuthorization(this.#authorizations[at]!));
    }
    if (kind === 'challenge') return this.#challenge(this.#authorizations[at]!);
    if (kind === 'finalize') return this.#finalize(at, String(signed.payload['csr']));
    if (kind === 'certificate') return this.#respond(200, this.#orders[at]?.chain ?? '');
    throw new Refusal(404, 'malformed');
  }

  #directory(): object {
    const { profiles = [], needsExternalAccount = false, hasRenewalInfo = true } = this.#options;
    return {
      newNonce: `${this.#origin}/nonce`,
      newAccount: `${this.#origin}/account`,
      newOrder: `${this.#origin}/order`,
      ...(hasRenewalInfo ? { renewalInfo: `${this.#origin}/renewal` } : {}),
      meta: {
        externalAccountRequired: needsExternalAccount,
        profiles: Object.fromEntries(profiles.map((name) => [name, name])),
      },
    };
  }

  /** Checks the nonce, the URL and the signature. */
  #open({ url, body = '' }: AcmeRequest, isNew: boolean): SignedRequest {
    const jws = JSON.parse(body) as { protected: string; payload: string; signature: string };
    const header = JSON.parse(Buffer.from(jws.protected, 'base64url').toString()) as {
      nonce: string;
      url: string;
      alg: string;
      jwk?: object;
      kid?: string;
    };
    const isKnown = this.#nonces.delete(header.nonce);
    if (!isKnown || this.#chance() < this.faults.badNonces) {
      this.counts.badNonces += 1;
      throw new Refusal(400, 'badNonce');
    }
    if (header.url !== url || header.alg !== 'ES256') throw new Refusal(400, 'malformed');
    const key = isNew
      ? createPublicKey({ key: { ...header.jwk }, format: 'jwk' })
      : this.#accounts.get(header.kid ?? '');
    if (!key) throw new Refusal(400, 'accountDoesNotExist');
    const text = Buffer.from(`${jws.protected}.${jws.payload}`);
    const isSigned = verify(
      'sha256',
      text,
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(jws.signature, 'base64url'),
    );
    if (!isSigned) throw new Refusal(400, 'malformed');
    const payload =
      jws.payload === ''
        ? {}
        : (JSON.parse(Buffer.from(jws.payload, 'base64url').toString()) as Record<string, unknown>);
    const account = header.kid ?? `${this.#origin}/account/${this.#accounts.size}`;
    if (isNew && !this.#accounts.has(account)) this.#accounts.set(account, key);
    return { account, payload };
  }

  #register({ account, payload }: SignedRequest): AcmeResponse {
    if (payload['termsOfServiceAgreed'] !== true) throw new Refusal(403, 'userActionRequired');
    if (this.#options.needsExternalAccount === true && payload['externalAccountBinding'] === undefined) {
      throw new Refusal(403, 'externalAccountRequired');
    }
    return this.#respond(201, { status: 'valid' }, { location: account });
  }

  #newOrder({ account, payload }: SignedRequest): AcmeResponse {
    if (this.faults.retryAfter !== undefined) {
      throw new Refusal(429, 'rateLimited', { 'retry-after': this.faults.retryAfter });
    }
    const names = (payload['identifiers'] as { value: string }[]).map(({ value }) => value);
    const replaces = payload['replaces'] as string | undefined;
    if (replaces !== undefined) this.counts.replaced += 1;
    const authorizations = names.map((name) => {
      const token = randomBytes(16).toString('base64url');
      const made: FakeAuthorization = { id: this.#authorizations.length, name, token, status: 'pending' };
      this.#authorizations.push(made);
      return made;
    });
    this.counts.orders += 1;
    const profile = payload['profile'] as string | undefined;
    this.#orders.push({ names, account, authorizations, replaces, profile, status: 'pending' });
    const at = this.#orders.length - 1;
    return this.#respond(201, this.#show(at), { location: `${this.#origin}/order/${at}` });
  }

  #show(at: number): object {
    const order = this.#orders[at];
    if (!order) throw new Refusal(404, 'malformed');
    if (order.status === 'pending') {
      const states = order.authorizations.map(({ status }) => status);
      if (states.includes('invalid')) order.status = 'invalid';
      else if (states.every((status) => status === 'valid')) order.status = 'ready';
    }
    return {
      status: order.status,
      authorizations: order.authorizations.map(({ id }) => `${this.#origin}/authorization/${id}`),
      finalize: `${this.#origin}/finalize/${at}`,
      ...(order.chain === undefined ? {} : { certificate: `${this.#origin}/certificate/${at}` }),
    };
  }

  #showAuthorization({ id, name, token, status, error }: FakeAuthorization): object {
    const challenge = { url: `${this.#origin}/challenge/${id}`, token, status, ...(error ? { error } : {}) };
    return {
      identifier: { type: 'dns', value: name },
      status,
      challenges: ['http-01', 'tls-alpn-01', 'dns-01'].map((type) => ({ type, ...challenge })),
    };
  }

  async #challenge(authorization: FakeAuthorization): Promise<AcmeResponse> {
    const { name, token } = authorization;
    this.counts.validations += 1;
    const found = await this.#options.validate('http-01', token, name);
    const isUnlucky = this.#chance() < this.faults.failedValidations || this.faults.unreachable.has(name);
    const isProven = found?.startsWith(`${token}.`) === true && !isUnlucky;
    authorization.status = isProven ? 'valid' : 'invalid';
    if (!isProven) {
      authorization.error = {
        type: 'urn:ietf:params:acme:error:connection',
        detail: `${name} did not answer`,
      };
    }
    return this.#respond(200, { type: 'http-01', status: 'processing' });
  }

  #finalize(at: number, csr: string): AcmeResponse {
    const order = this.#orders[at];
    if (order?.status !== 'ready') throw new Refusal(403, 'orderNotReady');
    const { publicKey } = readRequest(Buffer.from(csr, 'base64url'));
    const { lifetimeMs = 6 * 86_400_000, now } = this.#options;
    order.chain = issueCertificate({
      publicKey,
      names: order.names,
      issuer: this.#issuer,
      from: now() - 3_600_000,
      until: now() - 3_600_000 + lifetimeMs,
    });
    order.status = 'valid';
    this.counts.issued += 1;
    return this.#respond(200, this.#show(at));
  }

  #advise(): AcmeResponse {
    this.counts.advice += 1;
    const { lifetimeMs = 6 * 86_400_000, now } = this.#options;
    const last = now() + lifetimeMs;
    const { from, until } = this.window ?? { from: last - lifetimeMs / 2, until: last - lifetimeMs / 3 };
    const suggestedWindow = { start: new Date(from).toISOString(), end: new Date(until).toISOString() };
    return this.#respond(200, { suggestedWindow }, { 'retry-after': '21600' });
  }

  #chance(): number {
    return (this.#options.random ?? Math.random)();
  }

  #respond(
    status: number,
    body: object | string | undefined,
    headers: Record<string, string> = {},
  ): AcmeResponse {
    const nonce = randomBytes(12).toString('base64url');
    this.#nonces.add(nonce);
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: { 'replay-nonce': nonce, ...headers }, body: Buffer.from(text) };
  }
}
