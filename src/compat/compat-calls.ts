// Converts a request of the framework to the form that dialects use. Used by create-compat-server.ts.

import type { IncomingMessage } from 'node:http';

import { isForeignPage, isOwnWill } from '#http-parts/own-page';
import { MayflyError } from '../domain/mayfly-error.ts';
import type { Access } from '../http/access/access.ts';
import { Caller, type CallerSource } from '../http/caller.ts';
import { admitCounted } from '../http/guards/admit-counted.ts';
import { readBearer } from '#http-parts/bearer';
import { queryOf } from '../http/server/serve-operation.ts';
import type { Sender } from '../http/answers/send-answer.ts';
import { hashToken } from '#sealing/token';
import type { Services } from '../service/services.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import type { SessionView } from '../store/mail-store.ts';
import { readCredentials, readName } from './credentials.ts';
import type { CompatCall, CompatRoute, NamedInbox, SessionCall, SessionRoute } from './dialect.ts';

export type Request = Parameters<Sender['send']>[0];
export type HttpReply = Parameters<Sender['send']>[1];

export interface CallParts {
  readonly services: Pick<Services, 'authenticateToken'>;
  readonly access: Pick<Access, 'recordWrongCredential' | 'takeRequest'>;
  readonly source: CallerSource;
  /** The session for requests without credentials; undefined when they are required. */
  readonly defaultSession: (() => Promise<LiveSession>) | undefined;
  /** The session for Basic credentials without a token; they are wrong when it is undefined. */
  readonly sessionByName: ((name: string, view?: SessionView) => Promise<LiveSession>) | undefined;
}

const noBytes = Buffer.alloc(0);

export class HttpCompatCall implements CompatCall {
  readonly caller: Caller;
  /** Whether the route changes something in answer to this request. */
  readonly changes: boolean;
  readonly #request: Request;
  readonly #parts: CallParts;
  readonly #tokenOf: SessionRoute['tokenOf'];
  readonly #inbox: NamedInbox | undefined;
  readonly #view: SessionView;
  #isAmbient = true;
  #query: URLSearchParams | undefined;
  #live: { readonly token: string | undefined; readonly session: Promise<LiveSession> } | undefined;

  /** @throws MayflyError method_not_allowed for HEAD where GET would change something */
  constructor(request: Request, reply: HttpReply, parts: CallParts & { readonly route: CompatRoute }) {
    this.#request = request;
    this.#parts = parts;
    this.caller = new Caller(request, reply, parts.source);
    const { route } = parts;
    const isPublic = route.access === 'public';
    this.#tokenOf = isPublic ? undefined : route.tokenOf;
    this.#inbox = isPublic ? undefined : route.inbox?.(this);
    this.#view = !isPublic && route.onlySends === true ? 'committed' : 'on-disk';
    this.changes = route.method !== 'GET' || (isPublic && route.changes?.(this) === true);
    if (this.changes && this.isHead) {
      throw new MayflyError('method_not_allowed', 'HEAD changes nothing; use GET or POST.');
    }
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

  get request(): IncomingMessage {
    return this.#request.raw;
  }

  get body(): Buffer {
    return (this.#request.body as Buffer | undefined) ?? noBytes;
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  get marksRead(): boolean {
    return !this.isHead && (!this.#isAmbient || isOwnWill(this.headers));
  }

  /** Resolves with this call and its session, once it is authenticated. @throws MayflyError as `authenticate` */
  async admit(): Promise<SessionCall> {
    return Object.assign(this, { live: await this.authenticate(), isNamed: this.#isInboxNamed() });
  }

  authenticate(
    given: string | undefined = this.#inbox?.token ?? this.#tokenOf?.(this),
    by: 'secret' | 'cookie' = 'secret',
  ): Promise<LiveSession> {
    const { authorization } = this.#request.headers;
    const token = given ?? readCredentials(authorization);
    this.#isAmbient = given === undefined ? readBearer(authorization) === undefined : by === 'cookie';
    if (!this.#live || this.#live.token !== token) {
      this.#live = { token, session: this.#authenticate(token, given !== undefined) };
    }
    return this.#live.session;
  }

  async #authenticate(token: string | undefined, isGiven: boolean): Promise<LiveSession> {
    if (this.#isAmbient && this.#hasSession(token)) this.#requireOwnWill();
    const { live } = await admitCounted(this.#parts.access, this.caller, async () => ({
      live: await this.#findSession(token, isGiven),
      by: 'token',
    }));
    return live;
  }

  /** Reports whether the credentials, or their absence, may select a session at all. */
  #hasSession(token: string | undefined): boolean {
    const { defaultSession, sessionByName } = this.#parts;
    return token !== undefined || (defaultSession ?? sessionByName) !== undefined;
  }

  /** @throws MayflyError foreign_origin */
  #requireOwnWill(): void {
    if (this.changes && this.#request.method === 'GET') {
      throw new MayflyError(
        'foreign_origin',
        'Any page can make a browser send this GET: use POST, or give the token in the URL or as Bearer.',
      );
    }
    requireOwnOrigin(this.#request);
  }

  #isInboxNamed(): boolean {
    const inbox = this.#inbox;
    return (
      inbox !== undefined && this.#parts.sessionByName !== undefined && hashToken(inbox.token) === undefined
    );
  }

  #findSession(token: string | undefined, isGiven: boolean): Promise<LiveSession> {
    const { services, defaultSession, sessionByName } = this.#parts;
    if (token === undefined && defaultSession) return defaultSession();
    if (this.#inbox && sessionByName && this.#isInboxNamed()) {
      return sessionByName(this.#inbox.name, this.#view);
    }
    const name = isGiven || !sessionByName ? undefined : readName(this.#request.headers.authorization);
    if (name !== undefined && sessionByName) return sessionByName(name, this.#view);
    return services.authenticateToken(token, this.#view);
  }
}

/**
 * Refuses requests that a page of another site makes a browser send with credentials that browsers add by themselves:
 * remembered Basic credentials and cookies, or none where there is a default session. Links from other sites may be
 * followed, since a GET changes nothing then.
 * @throws MayflyError foreign_origin
 */
function requireOwnOrigin({ headers, method }: Pick<Request, 'headers' | 'method'>): void {
  if (!isForeignPage(headers)) return;
  const isLink = headers.origin === undefined && method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (isLink) return;
  throw new MayflyError('foreign_origin', 'Pages of other sites may not call this interface.');
}
