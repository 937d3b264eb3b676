// A dialect is the interface of another service, as its published clients use it, translated to our services. Each has
// a folder here and an entry in dialects.ts; create-compat-server.ts serves them all on one listener.

import type { IncomingMessage } from 'node:http';

import type { MayflyError } from '../domain/mayfly-error.ts';
import type { Access } from '../http/access/access.ts';
import type { Answer } from '../http/answers/answer.ts';
import type { Caller } from '../http/caller.ts';
import type { ErrorAnswer } from '../http/answers/error-answer.ts';
import type { Health } from '../http/operation.ts';
import type { Logger } from '../observe/logger.ts';
import type { Receiving, Services } from '../service/services.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import type { MessageComposer } from './mailpit/message-composer.ts';

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
   * Returns the session of the request's credentials, or of `token` where the dialect carries it elsewhere. Browsers
   * add some credentials by themselves: Basic, cookies, and none where there is a default session. With those, pages
   * of other sites are refused, and any GET that changes something. Counts the request; may be called again.
   * @throws MayflyError missing_token, unknown_token, session_expired, rate_limited, foreign_origin
   */
  authenticate(token?: string, by?: 'secret' | 'cookie'): Promise<LiveSession>;
}

interface Route {
  /** Segments may be `:name`. */
  readonly path: string;
  /** For a large body: credentials are checked before it is read. */
  readonly bodyMaxBytes?: number;
  /** Errors are answered in the dialect's format. */
  serve(call: CompatCall): Answer | Promise<Answer>;
}

/**
 * A link, an image or a redirect of any page makes a browser send a GET, so one that changes something says so, and is
 * refused unless it carries a secret that browsers do not add by themselves.
 */
export type CompatRoute =
  | (Route & {
      readonly method: 'GET';
      /** Reports whether this request changes something; absent where none does, besides read marks. */
      changes?(call: CompatCall): boolean;
    })
  | (Route & { readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' });

export interface CompatApp {
  add(route: CompatRoute): void;
}

export interface Dialect {
  readonly name: string;
  /** Reports whether an unknown path is answered in this dialect's format. */
  owns(path: string): boolean;
  /** Formats an error; `path` is without the query, `headers` are the request's. */
  toError(error: MayflyError, path: string, headers: CompatCall['headers']): ErrorAnswer;
  addRoutes(app: CompatApp, context: CompatContext): void;
}
