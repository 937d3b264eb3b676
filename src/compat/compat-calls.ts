// Converts a request of the framework to the form that dialects use. Used by create-compat-server.ts.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { Access } from '../http/access/access.ts';
import { Caller, type CallerSource } from '../http/caller.ts';
import { queryOf } from '../http/serve-operation.ts';
import type { Sender } from '../http/send-answer.ts';
import type { Services } from '../service/services.ts';
import type { LiveSession } from '../service/session-access.ts';
import { withRequester } from '../service/turn-owner.ts';
import { readCredentials, readName } from './credentials.ts';
import type { CompatCall } from './dialect.ts';

export type Request = Parameters<Sender['send']>[0];
export type Reply = Parameters<Sender['send']>[1];

export interface CallParts {
  readonly services: Pick<Services, 'authenticateToken'>;
  readonly access: Pick<Access, 'noteWrongCredential' | 'takeRequest'>;
  readonly source: CallerSource;
  /** The session for requests without credentials; undefined when they are required. */
  readonly defaultSession: (() => Promise<LiveSession>) | undefined;
  /** The session for Basic credentials without a token; they are wrong when it is undefined. */
  readonly sessionByName: ((name: string) => Promise<LiveSession>) | undefined;
}

const noBytes = Buffer.alloc(0);

export class HttpCompatCall implements CompatCall {
  readonly caller: Caller;
  readonly #request: Request;
  readonly #parts: CallParts;
  #query: URLSearchParams | undefined;
  #live: { readonly token: string | undefined; readonly session: Promise<LiveSession> } | undefined;

  constructor(request: Request, reply: Reply, parts: CallParts) {
    this.#request = request;
    this.#parts = parts;
    this.caller = new Caller(request, reply, parts.source);
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.raw.url ?? '';
  }

  get parameters(): Readonly<Record<string, string>> {
    return this.#request.params as Record<string, string>;
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(queryOf(this.url)));
  }

  get headers(): CompatCall['headers'] {
    return this.#request.headers;
  }

  get body(): Buffer {
    return (this.#request.body as Buffer | undefined) ?? noBytes;
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  authenticate(given?: string): Promise<LiveSession> {
    const token = given ?? readCredentials(this.#request.headers.authorization);
    if (!this.#live || this.#live.token !== token) {
      this.#live = { token, session: this.#authenticate(token, given !== undefined) };
    }
    return this.#live.session;
  }

  /** Counts a wrong token against the client's address. */
  async #authenticate(token: string | undefined, isGiven: boolean): Promise<LiveSession> {
    const { access } = this.#parts;
    const { caller } = this;
    try {
      const live = await this.#findSession(token, isGiven);
      caller.noteSession(live.session.key);
      access.takeRequest(caller, live.session, 'token');
      return { ...live, session: withRequester(live.session, caller.network) };
    } catch (error) {
      if (error instanceof MayflyError && error.code === 'unknown_token') access.noteWrongCredential(caller);
      throw error;
    }
  }

  #findSession(token: string | undefined, isGiven: boolean): Promise<LiveSession> {
    const { services, defaultSession, sessionByName } = this.#parts;
    if (token === undefined && defaultSession) return defaultSession();
    const name = isGiven || !sessionByName ? undefined : readName(this.#request.headers.authorization);
    if (name !== undefined && sessionByName) return sessionByName(name);
    return services.authenticateToken(token);
  }
}

/**
 * Refuses requests that a page of another site makes a browser send: browsers remember Basic credentials, and with a
 * default session nothing else distinguishes its owner from a stranger. Links from other sites are allowed.
 * @throws MayflyError foreign_origin
 */
export function requireOwnOrigin({ headers, method }: Pick<Request, 'headers' | 'method'>): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isForeign =
    origin === undefined
      ? site === 'cross-site' || site === 'same-site'
      : !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
  if (!isForeign) return;
  const isLink = origin === undefined && method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (isLink) return;
  throw new MayflyError('foreign_origin', 'Pages of other sites may not call this interface.');
}
