// A sender is a service that applications send mail through by HTTP. Each has a folder here that declares its calls, how
// it names an inbox, and how it words errors; this makes a dialect of it: at the root, where its clients expect it, and
// below the service's name, such as /resend/emails.

import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { Answer } from '#http-parts/answer';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import { readBearer } from '../../http/guards/credentials.ts';
import { type ComposedMessage, type Composition, isComposed } from '../composing/compose.ts';
import type { Refusal } from '../composing/refusal.ts';
import { storeMessages } from '../composing/store-messages.ts';
import {
  type CompatCall,
  type CompatContext,
  type CompatRoute,
  type Dialect,
  type Endpoint,
  type SessionCall,
  type SessionRoute,
  sessionRoute,
} from '../dialect.ts';
import { originOf } from '../origin.ts';
import type { SentMail } from './events/sent-mail.ts';
import { strikeFault } from './strike-fault.ts';

type Headers = CompatCall['headers'];

/** One message of a call: stored, or refused alone. */
export type SentItem = Pick<ComposedMessage, 'id' | 'messageId' | 'mailFrom' | 'rcptTo' | 'facts'> | Refusal;

export interface SentCall {
  /** In the order of the call. */
  readonly items: readonly SentItem[];
  readonly notes: Readonly<Record<string, string>>;
}

export interface SenderCall {
  readonly endpoint: `POST /${string}`;
  readonly summary: string;
  readonly bodyMaxBytes: number;
  /** The name of what reads its body, in readers.ts. */
  readonly reader: string;
  /** Header fields, in lower case, that the reader needs. */
  readonly takes?: readonly string[];
  /** The answer once all messages are durable. */
  readonly toAnswer: (sent: SentCall) => Answer;
}

export interface Sender {
  /** In lower case; also the path below which it is served besides the root. */
  readonly name: string;
  /** Reports whether an unknown path at the root is answered in this service's form. */
  owns(path: string): boolean;
  readonly calls: readonly SenderCall[];
  /** Routes besides the calls. */
  readonly others?: readonly CompatRoute[];
  /** Returns the API key as it was sent; undefined where it is none of this service's. */
  readonly readKey: (headers: Headers) => string | undefined;
  /** Before the token in a key. */
  readonly keyPrefix: RegExp;
  /** The service's own refusal with this status. Without a message, in the service's words. */
  readonly toRefusal: (status: number, message?: string) => Refusal;
  /** Writes a refusal in the form of the path that was called. */
  toErrorAnswer(refusal: Refusal, path: string): ErrorAnswer;
}

export function toDialect(sender: Sender): Dialect {
  const below = `/${sender.name}`;
  const toOwnError = (refusal: Refusal, path: string): ErrorAnswer => {
    const { status, headers, body } = sender.toErrorAnswer(refusal, withoutPrefix(path, below));
    const { retryAfterSeconds } = refusal;
    const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    return { status, headers: { ...retry, ...headers }, body };
  };
  return {
    name: sender.name,
    owns: (path) => path === below || path.startsWith(`${below}/`) || sender.owns(path),
    toError: (error, path) => toOwnError(toGeneralRefusal(sender, error), path),
    routes: [
      ...sender.calls.flatMap((call) => [
        toRoute(sender, call, { path: pathOf(call), toOwnError }),
        toRoute(sender, call, { path: below + pathOf(call), toOwnError }),
        // Some clients drop the slash of a base address.
        ...(pathOf(call) === '/' ? [toRoute(sender, call, { path: below, toOwnError })] : []),
      ]),
      ...(sender.others ?? []).map((route) =>
        route.access === 'session' ? withInbox(sender, route) : route,
      ),
    ],
  };
}

function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Errors that every dialect can have, in the service's words for their kind. */
function toGeneralRefusal(sender: Sender, error: MayflyError): Refusal {
  const { httpStatus: status, publicMessage } = error;
  // The services have their own words for a wrong key; what is wrong with a body, only we know.
  const refusal = sender.toRefusal(status, status === 401 ? undefined : publicMessage);
  const retryAfterSeconds = error.retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  return { ...refusal, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

function pathOf({ endpoint }: SenderCall): string {
  return endpoint.slice(endpoint.indexOf(' ') + 1);
}

interface Place {
  readonly path: string;
  readonly toOwnError: (refusal: Refusal, path: string) => ErrorAnswer;
}

function toRoute(sender: Sender, call: SenderCall, { path, toOwnError }: Place): SessionRoute {
  const endpoint = `POST ${path}` as Endpoint;
  const route = sessionRoute(endpoint, call.summary, async (context, request) => {
    const composed = await compose(context, call, request);
    if (composed.kind === 'refused') return toOwnError(composed.refusal, path);
    const fault = await strikeFault(context, request, {
      toRefusal: sender.toRefusal,
      items: composed.items,
    });
    if (fault) return 'kind' in fault ? fault.answer : toOwnError(fault, path);
    const { items, bodies, notes } = composed;
    const messages = items.filter(isComposed);
    const remoteAddress = request.caller.address;
    const { session } = request.live;
    await storeMessages(context, session, { messages, bodies, remoteAddress, helo: sender.name });
    context.senderEvents?.note(sender.name, messages.map(toSentMail), originOf(request));
    return call.toAnswer({ items, notes });
  });
  return withInbox(sender, { ...route, bodyMaxBytes: call.bodyMaxBytes });
}

function withInbox(sender: Sender, route: SessionRoute): SessionRoute {
  return { ...route, inbox: ({ headers }) => toInbox(sender, headers) };
}

function toSentMail({ id, messageId, mailFrom, rcptTo, about }: ComposedMessage): SentMail {
  const unknown = { from: mailFrom ?? '', to: rcptTo, subject: '', shown: {} };
  return { ...(about ?? unknown), id, messageId, rcptTo, at: Date.now() };
}

function compose(
  { composer }: CompatContext,
  { reader, takes = [] }: SenderCall,
  { body, headers, parameters, live }: SessionCall,
): Promise<Exclude<Composition, { kind: 'failed' }>> {
  const contentType = String(headers['content-type'] ?? '');
  const taken = takes.map((name) => [name, String(headers[name] ?? '')] as const);
  const given = { ...parameters, ...Object.fromEntries(taken) };
  return composer.compose({ reader, body, contentType, given }, live.session);
}

/** The key in `Authorization: Bearer`. */
export function bearerOf(headers: Headers): string | undefined {
  return readBearer(headers['authorization']?.toString());
}

/** The token in the key of a request, and the name of the inbox for a key that is none. */
function toInbox({ name, readKey, keyPrefix }: Sender, headers: Headers) {
  const key = readKey(headers);
  if (key === undefined || key === '') return undefined;
  return { token: key.replace(keyPrefix, ''), name: `${name}-${key}` };
}
