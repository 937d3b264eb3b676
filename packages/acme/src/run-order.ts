// An order from its creation to the certificate (RFC 8555 §7.4), as a pure machine: it yields what to do next and is
// resumed with the result. It has no clock, no key and no connection. An order that was broken off is taken up again.

import type { AcmeAnswer } from './acme-client.ts';
import { toIdentifier } from './identifier.ts';
import { AcmeProblem, AcmeProtocolError, readProblem, type RefusedName } from './problem.ts';
import {
  type Authorization,
  type Challenge,
  type Order,
  readAuthorization,
  readOrder,
  toUrl,
} from './read-objects.ts';

export type ChallengeType = 'http-01' | 'tls-alpn-01';

export interface OrderInput {
  readonly newOrderUrl: string;
  /** An earlier order for the same names and request, to be taken up again. */
  readonly orderUrl: string | undefined;
  /** Domain names and IP addresses, none twice. */
  readonly names: readonly string[];
  /** One of the server's; the server chooses when undefined. */
  readonly profile: string | undefined;
  /** The identifier of the certificate that this one is to replace (RFC 9773 §5). */
  readonly replaces: string | undefined;
  /** The request in DER and base64url. */
  readonly csr: string;
  /** The kinds that can be answered, the preferred one first. */
  readonly challengeTypes: readonly ChallengeType[];
  /** The thumbprint of the account's key. */
  readonly thumbprint: string;
}

export interface PresentedChallenge {
  readonly type: ChallengeType;
  readonly name: string;
  readonly token: string;
  /** The text that proves control over the name (§8.1). */
  readonly keyAuthorization: string;
}

export type OrderStep =
  /** Send a signed request; without a payload one that only reads. */
  | { readonly kind: 'post'; readonly url: string; readonly payload: object | null }
  /** Keep the URL of the order, before anything is done for it. */
  | { readonly kind: 'keep'; readonly orderUrl: string }
  /** Resume when the answers to these challenges can be read by the server. */
  | { readonly kind: 'present'; readonly challenges: readonly PresentedChallenge[] }
  | { readonly kind: 'wait'; readonly ms: number };

/** Resumed with the answer to `post`, and with anything after the other steps. */
export type OrderMachine<T = string> = Generator<OrderStep, T, AcmeAnswer>;

const firstWaitMs = 1000;
const longestWaitMs = 30_000;
/** All waiting for one decision of the server. */
const patienceMs = 10 * 60_000;
const chainMaxChars = 100_000;

/**
 * Returns the certificate and its chain in PEM.
 * @throws AcmeProblem when the server refuses; its `status` is 0 and its `names` are given when a validation failed
 * @throws AcmeProtocolError
 */
export function* runOrder(input: OrderInput): OrderMachine {
  const opened = yield* openOrder(input);
  let { order } = opened;
  if (order.status === 'pending') {
    yield* authorize(input, order);
    order = yield* untilNot('pending', opened.url, order);
  }
  if (order.status === 'ready') {
    order = readOrder((yield* post(order.finalize, { csr: input.csr })).json);
  }
  order = yield* untilNot('processing', opened.url, order);
  if (order.status !== 'valid') throw readProblem(order.error, { status: 0, retryAfterMs: undefined });
  const { text } = yield* post(toUrl(order.certificate, 'the certificate'), null);
  if (!text.startsWith('-----BEGIN CERTIFICATE-----') || text.length > chainMaxChars) {
    throw new AcmeProtocolError('The server gave no certificate.');
  }
  return text;
}

interface OpenedOrder {
  readonly url: string;
  readonly order: Order;
}

function* openOrder(input: OrderInput): OrderMachine<OpenedOrder> {
  const { orderUrl } = input;
  if (orderUrl !== undefined) {
    const order = yield* readAgain(orderUrl);
    if (order) return { url: orderUrl, order };
  }
  const { json, location } = yield* createOrder(input);
  const url = toUrl(location, 'the order');
  yield { kind: 'keep', orderUrl: url };
  return { url, order: readOrder(json) };
}

/** Returns undefined for an order that can no longer lead to a certificate. */
function* readAgain(orderUrl: string): OrderMachine<Order | undefined> {
  try {
    const order = readOrder((yield* post(orderUrl, null)).json);
    return order.status === 'invalid' ? undefined : order;
  } catch (error) {
    if (error instanceof AcmeProblem && isGone(error)) return undefined;
    throw error;
  }
}

/** Servers forget orders, and answer for another account's as they like. */
function isGone({ status, type }: AcmeProblem): boolean {
  return status >= 400 && status < 500 && status !== 429 && type !== 'accountDoesNotExist';
}

function* createOrder(input: OrderInput): OrderMachine<AcmeAnswer> {
  const { newOrderUrl, names, profile, replaces } = input;
  const payload = {
    identifiers: names.map(toIdentifier),
    ...(profile === undefined ? {} : { profile }),
  };
  if (replaces === undefined) return yield* post(newOrderUrl, payload);
  try {
    return yield* post(newOrderUrl, { ...payload, replaces });
  } catch (error) {
    // Replaced already, or issued to another account: the new certificate is needed all the same (RFC 9773 §5).
    if (!(error instanceof AcmeProblem) || !isAboutReplacing(error)) throw error;
    return yield* post(newOrderUrl, payload);
  }
}

function isAboutReplacing({ type }: AcmeProblem): boolean {
  return ['alreadyReplaced', 'malformed', 'conflict', 'unauthorized'].includes(type);
}

/** Proves control over every name that is not proven yet. */
function* authorize(input: OrderInput, order: Order): OrderMachine<void> {
  const open: { readonly url: string; readonly challenge: Challenge; readonly name: string }[] = [];
  const refused: RefusedName[] = [];
  for (const url of order.authorizations) {
    const authorization = readAuthorization((yield* post(url, null)).json);
    const { name } = authorization;
    if (authorization.refusal) refused.push(authorization.refusal);
    if (authorization.status === 'pending') {
      open.push({ url, name, challenge: chooseChallenge(input, authorization) });
    }
  }
  if (open.length > 0 && refused.length === 0) {
    yield { kind: 'present', challenges: open.map((each) => toPresented(input, each)) };
    for (const { challenge } of open) {
      // A server that was asked before the break is at work already.
      if (challenge.status === 'pending') yield* post(challenge.url, {});
    }
    for (const { url } of open) {
      const { refusal } = yield* untilDecided(url);
      if (refusal) refused.push(refusal);
    }
  }
  if (refused.length > 0) throw toValidationFailure(refused);
}

function toValidationFailure(names: readonly RefusedName[]): AcmeProblem {
  return new AcmeProblem({
    type: names[0]?.type ?? '',
    detail: 'The server could not reach what proves control over a name.',
    status: 0,
    names,
    retryAfterMs: undefined,
  });
}

function chooseChallenge({ challengeTypes }: OrderInput, { name, challenges }: Authorization): Challenge {
  for (const type of challengeTypes) {
    const found = challenges.find((challenge) => challenge.type === type);
    if (found) return found;
  }
  const detail = `The server offers none of ${challengeTypes.join(' and ')}.`;
  throw toValidationFailure([{ name, type: 'unsupportedChallenge', detail }]);
}

function toPresented(
  { thumbprint }: OrderInput,
  { name, challenge }: { readonly name: string; readonly challenge: Challenge },
): PresentedChallenge {
  const { token, type } = challenge;
  return { type: type as ChallengeType, name, token, keyAuthorization: `${token}.${thumbprint}` };
}

function* untilDecided(url: string): OrderMachine<Authorization> {
  const waits = new Waits();
  for (;;) {
    const answer = yield* post(url, null);
    const authorization = readAuthorization(answer.json);
    if (authorization.status !== 'pending') return authorization;
    yield waits.next(answer.retryAfterMs);
  }
}

function* untilNot(status: Order['status'], url: string, first: Order): OrderMachine<Order> {
  const waits = new Waits();
  for (let order = first, retryAfterMs: number | undefined; ;) {
    if (order.status !== status) return order;
    if (waits.haveBegun) yield waits.next(retryAfterMs);
    waits.haveBegun = true;
    const answer = yield* post(url, null);
    order = readOrder(answer.json);
    ({ retryAfterMs } = answer);
  }
}

/** Ever longer waits between looks at one object; as long as the server says, within bounds. */
class Waits {
  haveBegun = false;
  #ms = firstWaitMs;
  #total = 0;

  next(retryAfterMs: number | undefined): OrderStep {
    const ms = Math.min(longestWaitMs, Math.max(retryAfterMs ?? 0, this.#ms));
    this.#ms = Math.min(longestWaitMs, 1.5 * this.#ms);
    this.#total += ms;
    if (this.#total > patienceMs) throw new AcmeProtocolError('The server did not decide in ten minutes.');
    return { kind: 'wait', ms };
  }
}

function* post(url: string, payload: object | null): OrderMachine<AcmeAnswer> {
  return yield { kind: 'post', url, payload };
}
