// What a dialect is: the interface of another service, as its published clients speak it, as a translation onto the
// services. Each has a folder here and its place in dialects.ts; create-compat-server.ts serves them all on one
// listener.

import type { MayflyError } from '../domain/mayfly-error.ts';
import type { Access } from '../http/access/access.ts';
import type { Answer } from '../http/answer.ts';
import type { Caller } from '../http/caller.ts';
import type { ErrorAnswer } from '../http/error-answer.ts';
import type { Health } from '../http/operation.ts';
import type { Logger } from '../observe/logger.ts';
import type { Receiving, Services } from '../service/services.ts';
import type { LiveSession } from '../service/session-access.ts';

/** The same for every request of one listener. */
export interface CompatContext {
  readonly services: Services;
  /** For mail that comes in by HTTP. */
  readonly receiving: Receiving;
  /** What stands between strangers and new sessions. */
  readonly access: Access;
  /** Most bytes of a message. */
  readonly messageMaxBytes: number;
  readonly version: string;
  readonly health: Health;
  readonly log: Logger;
}

/** One request, as far as a dialect needs it. */
export interface CompatCall {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  /** What stands for `:name` in the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty where there is none. */
  readonly body: Buffer;
  readonly caller: Caller;
  /** Only the header fields go out, and nothing is to be changed. */
  readonly isHead: boolean;
  /**
   * The session that the request is for: that of its credentials, or of `token` where the dialect carries one elsewhere.
   * Counts the request. May be called again.
   * @throws MayflyError missing_token, unknown_token, session_expired, rate_limited
   */
  authenticate(token?: string): Promise<LiveSession>;
}

export interface CompatRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments may be `:name`. */
  readonly path: string;
  /** The session's credentials are checked before a body of this size is read; absent for a small one. */
  readonly bodyMaxBytes?: number;
  /** What it throws is answered in the dialect's form. */
  serve(call: CompatCall): Answer | Promise<Answer>;
}

export interface CompatApp {
  add(route: CompatRoute): void;
}

export interface Dialect {
  readonly name: string;
  /** Whether an unknown path is answered in its form. */
  owns(path: string): boolean;
  /** An error in its form; `path` is without the query, `headers` are the request's. */
  toError(error: MayflyError, path: string, headers: CompatCall['headers']): ErrorAnswer;
  addRoutes(app: CompatApp, context: CompatContext): void;
}
