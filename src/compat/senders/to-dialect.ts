// Makes a dialect of a sender (packages/senders): its calls are served at the root, where its clients expect them, and
// below the service's name, such as /resend/emails. A mail is stored in the inbox that the key of the call names.

import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import { type ComposedMessage, type Composition, isComposed } from '#senders/compose';
import type { Refusal } from '#senders/refusal';
import type { Headers, Sender, SenderCall } from '#senders/sender';
import { storeMessages } from './store-messages.ts';
import {
  type CompatContext,
  type CompatRoute,
  type Dialect,
  type Endpoint,
  type SessionCall,
  type SessionRoute,
  sessionRoute,
} from '../dialect.ts';
import { originOf } from '../origin.ts';
import type { SentMail } from '#senders/sent-mail';
import { strikeFault } from './strike-fault.ts';

/** @param others routes besides the calls */
export function toDialect(sender: Sender, others: readonly CompatRoute[] = []): Dialect {
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
      ...others.map((route) => (route.access === 'session' ? withInbox(sender, route) : route)),
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
    const { items, bodies, notes, once } = composed;
    const messages = items.filter(isComposed);
    const remoteAddress = request.caller.address;
    const { session } = request.live;
    const begun =
      once && call.once
        ? await context.receiving.beginOnce(session, { caller: sender.name, ...once, ...call.once })
        : undefined;
    if (begun?.isSame === false && call.once) return toOwnError(call.once.otherPayload, path);
    const { isNamed: isByRecipient } = request;
    const sent = {
      messages,
      bodies,
      remoteAddress,
      helo: sender.name,
      originOf: begun?.originOf,
      isByRecipient,
    };
    const outcome = await storeMessages(context, session, sent);
    if (outcome === 'repeat' && call.once?.repeat) return toOwnError(call.once.repeat, path);
    if (outcome === 'stored') {
      context.senderEvents?.note(sender.name, messages.map(toSentMail), originOf(request));
    }
    return call.toAnswer({ items, notes });
  });
  return withInbox(sender, { ...route, onlySends: true, bodyMaxBytes: call.bodyMaxBytes });
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
  const inbox = Buffer.from(live.session.key).toString('hex');
  const given = { ...parameters, ...Object.fromEntries(taken), inbox };
  return composer.compose({ reader, body, contentType, given }, live.session);
}

/** The token in the key of a request, and the name of the inbox for a key that is none. */
function toInbox({ name, readKey, keyPrefix }: Sender, headers: Headers) {
  const key = readKey(headers);
  if (key === undefined || key === '') return undefined;
  return { token: key.replace(keyPrefix, ''), name: `${name}-${key}` };
}
