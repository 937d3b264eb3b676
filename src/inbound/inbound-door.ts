// Takes the requests by which other services hand over mail. The body is checked and decoded as it arrives; nothing is
// stored, and nothing about recipients is revealed, before it has proved where it comes from.

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Answer } from '#http-parts/answer';
import { createIntake } from '#inbound/create-intake';
import { type InboundMail, InboundRefusal, type Taken } from '#inbound/intake';
import type { ProviderSecret } from '#inbound/provider';
import { replies } from '#mail-receiver/reply';
import { networkShares } from '#networks/network-shares';
import { SharedBudget } from '#networks/shared-budget';
import { MayflyError } from '../domain/mayfly-error.ts';
import { isRefusedWrite } from '../domain/refused-write.ts';
import type { InboundRoute } from '../store/inbound-store.ts';
import { ArrivingMessage, MessageTooBig } from './arriving-message.ts';
import { createCertificates, reach, type ReadCertificate } from './certificates.ts';
import { type Outcome, toAnswer, toRefusal } from './inbound-answers.ts';
import type { InboundParts } from './inbound-parts.ts';
import { receiveInbound } from './receive-inbound.ts';

export interface InboundCall {
  /** The route's name in the path, untrusted. */
  readonly route: string;
  readonly request: IncomingMessage;
  /** The client's. */
  readonly address: string;
}

/** Rejects with MayflyError not_found, unavailable; and with errors of our own. */
export type InboundDoor = (call: InboundCall) => Promise<Answer>;

/** A body is larger than the message in it: escaped, or base64 in JSON in JSON, with attachments beside it. */
const bodyFactor = 4;
const sweepEveryMs = 10 * 60_000;
const retryAfterSeconds = 60;

export function createInboundDoor(parts: InboundParts): InboundDoor {
  const arriving = new SharedBudget(parts.settings.inFlightMaxBytes);
  const readCertificate = createCertificates(parts.fetch);
  let sweptAt = -Infinity;

  async function sweep(): Promise<void> {
    const now = performance.now();
    if (now - sweptAt < sweepEveryMs) return;
    sweptAt = now;
    await parts.store.sweepProofs();
  }

  return async (call) => {
    const route = await parts.store.findRoute(call.route);
    if (!route) throw new MayflyError('not_found', 'There is nothing at this path.');
    const secret = openSecret(parts, route);
    const release = admit(parts, arriving, call);
    try {
      const answer = await takeMail(parts, { ...call, route, secret, readCertificate });
      await sweep();
      return answer;
    } finally {
      release();
    }
  };
}

/** @throws MayflyError unavailable */
function openSecret({ openSecret: open, log }: InboundParts, { name, sealed }: InboundRoute): ProviderSecret {
  try {
    return open(name, sealed);
  } catch (error) {
    log.error('inbound.route_sealed_otherwise', { route: name, error });
    throw new MayflyError('unavailable', 'The route was made with another server.key; add it again.', {
      cause: error,
    });
  }
}

/** Returns what releases the room for the body. @throws MayflyError unavailable, body_too_large */
function admit(
  { settings, vitals }: InboundParts,
  arriving: SharedBudget,
  { request, address }: InboundCall,
): () => void {
  const { messageMaxBytes, inFlightPerAddressMaxBytes } = settings;
  const declared = Number(request.headers['content-length'] ?? messageMaxBytes);
  if (declared > bodyFactor * messageMaxBytes) {
    throw new MayflyError('body_too_large', 'The request body is too large.');
  }
  const shares = networkShares(address, inFlightPerAddressMaxBytes, 2);
  const claim = arriving.claim(shares, Math.max(1, Math.min(declared, messageMaxBytes)));
  if (claim.isHeld && !vitals.isDiskLow() && !vitals.isOverloaded()) return claim.release;
  if (claim.isHeld) claim.release();
  throw new MayflyError('unavailable', 'There is no room for the message just now.', { retryAfterSeconds });
}

interface AdmittedCall extends Omit<InboundCall, 'route'> {
  readonly route: InboundRoute;
  readonly secret: ProviderSecret;
  readonly readCertificate: ReadCertificate;
}

async function takeMail(parts: InboundParts, call: AdmittedCall): Promise<Answer> {
  const { settings, spill, metrics, log } = parts;
  const { route } = call;
  const provider = call.secret.from;
  const message = new ArrivingMessage(spill, settings.messageMaxBytes);
  const count = (outcome: string): void => {
    metrics.inboundRequests.of(provider, outcome).value += 1;
  };
  try {
    const taken = await readBody(parts, call, message);
    const outcome =
      taken.kind === 'mail'
        ? await receiveOnce(parts, route, taken, message)
        : await confirm(parts, taken.url);
    count(outcome.kind === 'discarded' ? 'stored' : outcome.kind);
    return toAnswer(provider, outcome);
  } catch (error) {
    const outcome = toOutcome(error);
    if (outcome) {
      count(outcome.kind);
      return toAnswer(provider, outcome);
    }
    if (!(error instanceof InboundRefusal)) throw error;
    count(error.kind);
    log.debug('inbound.refused', { route: route.name, kind: error.kind, reason: error.message });
    return toRefusal(error.kind, error.message);
  } finally {
    message.release();
    // Else the rest of a body that was refused early would hold the connection.
    call.request.resume();
  }
}

/** Returns undefined for what is not about the message itself. */
function toOutcome(error: unknown): Outcome | undefined {
  if (error instanceof MessageTooBig) return { kind: 'refused', reply: replies.tooBig.trimEnd() };
  if (isRefusedWrite(error)) return { kind: 'deferred', reply: replies.storageFull.trimEnd() };
  return undefined;
}

/** Rejects with InboundRefusal, MessageTooBig, RefusedWriteError. */
async function readBody(
  { settings, now }: InboundParts,
  { route, secret, request, readCertificate }: AdmittedCall,
  message: ArrivingMessage,
): Promise<Taken> {
  const intake = createIntake(route.name, secret, {
    headers: request.headers,
    now: now(),
    take: (piece) => {
      message.take(piece);
    },
    fetchCertificate: readCertificate,
  });
  let bytes = 0;
  // Left open when it is refused early: the answer still has to be read.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bodyFactor * settings.messageMaxBytes) throw new MessageTooBig('The body is too large.');
    intake.push(piece);
  }
  const taken = await intake.end();
  message.requireKept();
  return taken;
}

/** Delivers the message unless that was done before. */
async function receiveOnce(
  parts: InboundParts,
  route: InboundRoute,
  mail: InboundMail,
  message: ArrivingMessage,
): Promise<Outcome> {
  const { store } = parts;
  const { id: proof, binds, keptMs } = mail.proof;
  const id = toBytes(proof);
  const claim = await store.claim({ route: route.name, id, binds: toBytes(binds), keptMs });
  if (claim === 'done') return { kind: 'stored' };
  if (claim === 'other') {
    throw new InboundRefusal('unauthorized', 'The signature was used before, for another message.');
  }
  const outcome = await receiveInbound(parts, route, mail, message);
  if (outcome.kind === 'stored' || outcome.kind === 'discarded') await store.finish(route.name, id);
  return outcome;
}

function toBytes(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

async function confirm({ fetch, log }: InboundParts, url: string): Promise<Outcome> {
  const { status } = await reach(fetch, url, 'status');
  log.info('inbound.subscription_confirmed', { status });
  if (status >= 200 && status < 300) return { kind: 'confirmed' };
  return { kind: 'deferred', reply: replies.localError.trimEnd() };
}
