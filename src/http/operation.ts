// One operation of the interface: its path, parameters, answer, errors and implementation. Both the server and the
// OpenAPI document are made from these. Independent of the framework.

import type { Answer } from '#http-parts/answer';
import type { Schema } from '#http-parts/json-schema';

import type { ErrorCode } from '../domain/error-catalogue.ts';
import type { Receiving, Services } from '../service/services.ts';
import type { Share } from '../domain/share.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import type { TicketScope } from '#sealing/ticket';
import type { Access } from './access/access.ts';
import type { Caller } from './caller.ts';
import type { ParameterTable, ParameterValues } from '#values/parameter';

export interface Health {
  isReady(): { readonly ready: true } | { readonly ready: false; readonly reason: string };
}

/** Where to send mail for capture sessions. */
export interface SmtpAddress {
  readonly host: string;
  /** For programs on the same machine. */
  readonly localHost: string;
  readonly port: number;
}

/** The same for every request of a server. */
export interface OperationContext {
  readonly services: Services;
  /** For messages that come as files. */
  readonly receiving: Pick<Receiving, 'importMessage'>;
  /** The most bytes of a message. */
  readonly messageMaxBytes: number;
  /** '' or a path such as `/mail`; links that we make begin with it. */
  readonly basePath: string;
  readonly health: Health;
  readonly access: Access;
  readonly version: string;
  readonly smtp: SmtpAddress;
  /** Called with a message's age when its event was written. */
  readonly onEvent?: (seconds: number) => void;
  /** Called for a fault of our own after the answer began. */
  readonly onFault: (error: unknown) => void;
}

export interface Call<T extends ParameterTable> {
  readonly parameters: ParameterValues<T>;
  /** The If-None-Match field as received. */
  readonly ifNoneMatch: string | undefined;
  /** The Last-Event-ID field as received. */
  readonly lastEventId: string | undefined;
  readonly caller: Caller;
  /** The body of an operation that takes a file. */
  readonly file?: Buffer;
  /** For HEAD: only header fields are sent, and nothing may be changed. */
  readonly isHead: boolean;
}

export interface SessionCall<T extends ParameterTable> extends Call<T> {
  readonly live: LiveSession;
  /** The share that the session is read by; undefined for its holder, the only one who may change anything. */
  readonly share: Share | undefined;
}

/** A request that can follow with values from the answer, as OpenAPI describes it. */
export interface OperationLink {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The groups of operations, in the order of the docs. Generated clients name their classes or modules after them. */
export const operationTags = {
  Sessions: 'Getting an address, keeping it, and ending it.',
  Mail: 'Listing, awaiting, reading, marking and deleting messages.',
  Events: 'News of a session as it happens: a stream, and pushes to browsers.',
  Shares: 'Letting others read.',
  Testing: 'For those who test what they send: a report on a message, and mail that fails on purpose.',
  Health: 'For load balancers and monitoring.',
} as const;

export type OperationTag = keyof typeof operationTags;

/** Common to operations and the routes of dialects, for the server and the documents. */
export interface Declared<Method extends string> {
  readonly method: Method;
  /** Below the base path. */
  readonly path: string;
  readonly summary: string;
}

/**
 * By GET nothing changes but read marks. Public operations take no credentials, and all others a token in the URL or
 * as Bearer, which no page of another site can make a browser add.
 */
interface Described extends Declared<'GET' | 'POST'> {
  /** The operationId in the document, in camelCase. */
  readonly name: string;
  readonly tag: OperationTag;
  readonly description?: string;
  /** A JSON schema of the successful body, or a media type other than JSON. */
  readonly answers: Schema | string;
  /** A successful body for the document, required with JSON. */
  readonly example?: object;
  /** Header fields it reads, besides those of credentials, with their purpose. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Header fields of a successful answer, with their meaning. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Accepts an API key where the operator has created any. */
  readonly takesApiKey?: true;
  /** Besides those common to all operations of its kind. */
  readonly errors: readonly ErrorCode[];
  readonly links?: Readonly<Record<string, OperationLink>>;
}

/** `run` is declared as a method so that operations with different parameters fit in one list. */
export interface PublicOperation<T extends ParameterTable = ParameterTable> extends Described {
  readonly access: 'public';
  readonly parameters: T;
  run(context: OperationContext, call: Call<T>): Answer | Promise<Answer>;
}

export interface SessionOperation<T extends ParameterTable = ParameterTable> extends Described {
  readonly access: 'session';
  readonly parameters: T;
  /**
   * Its body is a file of this media type, or a form with it: credentials come in the header or the query, and are
   * checked before the body is read.
   */
  readonly takesFile?: { readonly mediaType: string };
  /** Accepts the token of a share. For a share of one message, `id` has been checked already. */
  readonly takesShare?: true;
  /** The scope that a ticket must have to replace the token; none may when absent. */
  ticketScope?(parameters: ParameterValues<T>): TicketScope;
  run(context: OperationContext, call: SessionCall<T>): Answer | Promise<Answer>;
}

export type Operation = PublicOperation | SessionOperation;

/** This function and the next exist only so that the compiler infers the parameters. */
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
