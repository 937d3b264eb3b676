// What one operation of the interface is: where it lies, what it takes, answers and fails with, and what it does.
// Server and OpenAPI document are both made from these. Operations know no framework.

import type { Schema } from './json-schema.ts';

import type { ErrorCode } from '../domain/error-catalogue.ts';
import type { Services } from '../service/services.ts';
import type { Share } from '../domain/share.ts';
import type { LiveSession } from '../service/session-access.ts';
import type { TicketScope } from '../secrets/ticket.ts';
import type { Access } from './access/access.ts';
import type { Answer } from './answer.ts';
import type { Caller } from './caller.ts';
import type { ParameterTable, ParameterValues } from '../domain/parameter.ts';

export interface Health {
  isReady(): { readonly ready: true } | { readonly ready: false; readonly reason: string };
}

/** Where mail for capture sessions is sent to. */
export interface SmtpAddress {
  readonly host: string;
  /** For programs on the machine itself. */
  readonly localHost: string;
  readonly port: number;
}

/** The same for every request of one server. */
export interface OperationContext {
  readonly services: Services;
  /** '' or a path such as `/mail`; links that we make begin with it. */
  readonly basePath: string;
  readonly health: Health;
  readonly access: Access;
  readonly version: string;
  readonly smtp: SmtpAddress;
  /** Told how old a message was when its event was written. */
  readonly onEvent?: (seconds: number) => void;
  /** Something of ours failed after the answer began. */
  readonly onFault: (error: unknown) => void;
}

export interface Call<T extends ParameterTable> {
  readonly parameters: ParameterValues<T>;
  /** The If-None-Match field as it came. */
  readonly ifNoneMatch: string | undefined;
  /** The Last-Event-ID field as it came. */
  readonly lastEventId: string | undefined;
  readonly caller: Caller;
  /** HEAD: only the header fields go out, and nothing is to be changed. */
  readonly isHead: boolean;
}

export interface SessionCall<T extends ParameterTable> extends Call<T> {
  readonly live: LiveSession;
  /** By which the session is read; undefined for its holder, who alone may change anything. */
  readonly share: Share | undefined;
}

/** What can be asked next with what an answer holds, in OpenAPI's words. */
export interface OperationLink {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Described {
  /** operationId in the document, camelCase. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Under the base path. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** A JSON schema of the successful body, or the media type of what is no JSON. */
  readonly answers: Schema | string;
  /** A successful body for the document; every operation that answers JSON has one. */
  readonly example?: object;
  /** Header fields it reads beside those of credentials → what they do. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Header fields of a successful answer → what they tell. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Takes an API key where the operator has made them. */
  readonly takesApiKey?: true;
  /** Beside those that every operation of its kind can fail with. */
  readonly errors: readonly ErrorCode[];
  readonly links?: Readonly<Record<string, OperationLink>>;
}

/** `run` is declared as a method so that operations of different parameters fit in one list. */
export interface PublicOperation<T extends ParameterTable = ParameterTable> extends Described {
  readonly access: 'public';
  readonly parameters: T;
  run(context: OperationContext, call: Call<T>): Answer | Promise<Answer>;
}

export interface SessionOperation<T extends ParameterTable = ParameterTable> extends Described {
  readonly access: 'session';
  readonly parameters: T;
  /** The token may be of a share; for one message, then `id` is checked already. */
  readonly takesShare?: true;
  /** Where a ticket may stand for the token: what the ticket has to be for. */
  ticketScope?(parameters: ParameterValues<T>): TicketScope;
  run(context: OperationContext, call: SessionCall<T>): Answer | Promise<Answer>;
}

export type Operation = PublicOperation | SessionOperation;

/** Both only let the compiler infer the parameters. */
export function publicOperation<const T extends ParameterTable>(
  operation: Omit<PublicOperation<T>, 'access'>,
): PublicOperation<T> {
  return { access: 'public', ...operation };
}

export function sessionOperation<const T extends ParameterTable>(
  operation: Omit<SessionOperation<T>, 'access'>,
): SessionOperation<T> {
  return { access: 'session', ...operation };
}
