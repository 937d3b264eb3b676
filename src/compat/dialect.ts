// A dialect is the interface of another service, as its published clients use it, translated to our services. Each has
// a folder here and an entry in dialects.ts; create-compat-server.ts serves them all on one listener.

import type { IncomingMessage } from 'node:http';

import type { Logger } from '#telemetry/logger';
import type { Answer } from '#http-parts/answer';
import type { MayflyError } from '../domain/mayfly-error.ts';
import type { Access } from '../http/access/access.ts';
import type { Caller } from '../http/caller.ts';
import type { ErrorAnswer } from '../http/answers/error-answer.ts';
import type { Declared, Health } from '../http/operation.ts';
import type { FairLane } from '#networks/fair-lane';
import type { Receiving, Services } from '../service/services.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import type { MessageComposer } from './senders/message-composer.ts';
import type { SenderEvents } from './senders/events/sender-events.ts';

/** The same for every request of one listener. */
export interface CompatContext {
  readonly services: Services;
  /** For mail that arrives by HTTP. */
  readonly receiving: Receiving;
  /** Access rules for new sessions. */
  readonly access: Access;
  /** The most bytes of a message. */
  readonly messageMaxBytes: number;
  readonly composer: MessageComposer;
  readonly mailhogSearches: FairLane;
  /** Undefined when no URL is configured. */
  readonly senderEvents: SenderEvents | undefined;
  readonly version: string;
  readonly health: Health;
  readonly log: Logger;
}

/** One request, in the form that dialects use. */
export interface CompatCall {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Decoded values for `:name` in the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** For routes that take the connection over. */
  readonly request: IncomingMessage;
  /** Empty when there is none. */
  readonly body: Buffer;
  readonly caller: Caller;
  /** For HEAD: only header fields are sent, and nothing may be changed. */
  readonly isHead: boolean;
  /**
   * Whether reading a message may mark it read: not for HEAD, nor where a page of another site may have made a browser
   * send the request. Known once authenticated.
   */
  readonly marksRead: boolean;
  /**
   * Called for every route of a session; routes call it only where the dialect carries `token` elsewhere. Returns the
   * session of that token, or of the request's credentials. Browsers
   * add some credentials by themselves: Basic, cookies, and none where there is a default session. With those, pages
   * of other sites are refused, and any GET that changes something. Counts the request; may be called again.
   * @throws MayflyError missing_token, unknown_token, session_expired, rate_limited, foreign_origin
   */
  authenticate(token?: string, by?: 'secret' | 'cookie'): Promise<LiveSession>;
}

/** A call of a route that is for a session. */
export interface SessionCall extends CompatCall {
  readonly live: LiveSession;
  /** Whether a name selected the session, as with `mayfly dev`, and no token. */
  readonly isNamed: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Needs no credentials, or finds them itself. `run` is declared as in our own operations. */
export interface PublicRoute extends Declared<Method> {
  readonly access: 'public';
  /**
   * Reports whether this GET changes something besides read marks. A link, an image or a redirect of any page makes a
   * browser send a GET, so one that changes something is refused unless it carries a secret that browsers do not add
   * by themselves.
   */
  changes?(call: CompatCall): boolean;
  run(context: CompatContext, call: CompatCall): Answer | Promise<Answer>;
}

/** By the key of another service: a session's token, or any key where names select sessions. */
export interface NamedInbox {
  readonly token: string;
  /** For a key that is no token. */
  readonly name: string;
}

export interface SessionRoute extends Declared<Method> {
  readonly access: 'session';
  /** Whether the answer says nothing of what the session holds: such a call need not wait for read marks (SessionView). */
  readonly onlySends?: boolean;
  /** For a large body: credentials are checked before it is read. */
  readonly bodyMaxBytes?: number;
  /** Returns a token that is not in the header, if there is one. */
  readonly tokenOf?: (call: CompatCall) => string | undefined;
  /** Returns what names the inbox in place of the usual credentials, if the request has it. */
  readonly inbox?: (call: CompatCall) => NamedInbox | undefined;
  run(context: CompatContext, call: SessionCall): Answer | Promise<Answer>;
}

/** Segments of a path may be `:name`. Errors are answered in the dialect's format. */
export type CompatRoute = PublicRoute | SessionRoute;

/** A method and a path. */
export type Endpoint = `${Method} /${string}`;

export function publicRoute(endpoint: Endpoint, summary: string, run: PublicRoute['run']): PublicRoute {
  return { access: 'public', ...parseEndpoint(endpoint), summary, run };
}

export function sessionRoute(endpoint: Endpoint, summary: string, run: SessionRoute['run']): SessionRoute {
  return { access: 'session', ...parseEndpoint(endpoint), summary, run };
}

function parseEndpoint(endpoint: Endpoint): Pick<CompatRoute, 'method' | 'path'> {
  const [method, path] = endpoint.split(' ', 2) as [Method, string];
  return { method, path };
}

export interface Dialect {
  readonly name: string;
  /** Reports whether an unknown path is answered in this dialect's format. */
  owns(path: string): boolean;
  /** Formats an error; `path` is without the query, `headers` are the request's. */
  toError(error: MayflyError, path: string, headers: CompatCall['headers']): ErrorAnswer;
  /** From which the listener and the dialect's document are made. */
  readonly routes: readonly CompatRoute[];
}
