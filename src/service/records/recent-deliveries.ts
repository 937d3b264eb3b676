// The last deliveries to this process, for the operator: time, address, outcome, sending host, and of the sender the
// domain. Kept only in memory, a fixed number for at most a day, without the message's content. Made once by
// create-operating.ts.

import type { Address } from '#mail-receiver/address';
import type { MessageMeta } from '../../domain/message.ts';
import { acceptedReply, type RefusedAttempt, type RefusedPeer } from './delivery-log.ts';
import { createHostTest, createSenderTest, isInTime, type LogFilter } from './log-filter.ts';
import { isSession, type Recipient } from '../session/recipient.ts';
import { Ring } from './ring.ts';
import { senderDomainOf } from './sender-domain.ts';

export const deliveryOutcomes = ['accepted', 'deferred', 'refused', 'discarded'] as const;

/** `deferred`: the sender was asked to retry. `discarded`: accepted for an unknown address, and discarded. */
export type RecentOutcome = (typeof deliveryOutcomes)[number];

export interface RecentDelivery {
  /** ms since 1970. */
  readonly at: number;
  /** As the sender spelled it; of a message refused after RCPT, that of the session. */
  readonly address: string;
  readonly outcome: RecentOutcome;
  /** In one line without its end. */
  readonly reply: string;
  readonly sizeBytes: number | null;
  readonly remoteAddress: string | null;
  /** The name that the host gave; empty when unknown. */
  readonly helo: string;
  /** TLS version and cipher; null for a plain connection, or when unknown. */
  readonly tls: string | null;
  /** '' for a bounce; null when unknown. */
  readonly senderDomain: string | null;
  /** The message's id, as in its Received field and in the log; null for one that was refused. */
  readonly id: string | null;
  /** The connection's id, as in the log. */
  readonly connection: string | null;
}

/** A message after its commit. */
export interface Received {
  readonly meta: MessageMeta;
  readonly sizeBytes: number;
  /** For each recipient; undefined for one that did not receive it. */
  readonly outcomes: readonly ('accepted' | 'discarded' | undefined)[];
}

export interface DeliveryFilter extends LogFilter {
  /** The beginning of the address. */
  readonly address?: string | undefined;
  readonly outcome?: RecentOutcome | undefined;
  /** A part of the reply. */
  readonly reply?: string | undefined;
  /** The id of a message or of a connection. */
  readonly id?: string | undefined;
  readonly limit: number;
}

export interface RecentDeliveries {
  /** ms since 1970; nothing older is known. */
  readonly since: number;
  recordReceived(received: Received): void;
  recordRefusal(recipients: readonly Recipient[], refused: RefusedAttempt): void;
  recordUnknownRecipient(address: Address, reply: string, peer: RefusedPeer): void;
  /** Newest first. */
  list(filter: DeliveryFilter): RecentDelivery[];
}

/** Unknown addresses are kept apart, so that a flood of guesses displaces nothing else. */
const keptMax = 10_000;
const unknownKeptMax = 1000;
const keptMs = 24 * 60 * 60 * 1000;

export function createRecentDeliveries(clock: () => number = Date.now): RecentDeliveries {
  const known = new Ring<RecentDelivery>(keptMax);
  const unknown = new Ring<RecentDelivery>(unknownKeptMax);
  return {
    since: clock(),
    recordReceived({ meta, sizeBytes, outcomes }) {
      const shared = {
        at: clock(),
        reply: acceptedReply(meta),
        sizeBytes,
        ...toPeer({ ...meta.source, mailFrom: meta.envelope.mailFrom }),
        id: meta.ingestId,
      };
      for (const [place, outcome] of outcomes.entries()) {
        const address = meta.envelope.rcptTo[place];
        if (outcome !== undefined && address !== undefined) known.push({ address, outcome, ...shared });
      }
    },
    recordRefusal(recipients, refused) {
      const { reply, sizeBytes } = refused;
      const shared = {
        at: clock(),
        outcome: outcomeOf(reply),
        reply,
        sizeBytes,
        ...toPeer(refused),
        id: null,
      };
      for (const recipient of recipients) known.push({ address: addressOf(recipient), ...shared });
    },
    recordUnknownRecipient({ localPart, domain }, reply, peer) {
      const address = `${localPart}@${domain}`;
      const outcome = outcomeOf(reply);
      unknown.push({ at: clock(), address, outcome, reply, sizeBytes: null, ...toPeer(peer), id: null });
    },
    list(filter) {
      const isWanted = createDeliveryTest(filter, clock() - keptMs);
      return [...known.newestFirst(), ...unknown.newestFirst()]
        .filter(isWanted)
        .sort((one, other) => other.at - one.at)
        .slice(0, filter.limit);
    },
  };
}

/** Mail that came by HTTP has no address; it is written as an empty one. */
function toPeer({ remoteAddress, helo = '', tls, mailFrom, connection }: RefusedPeer) {
  return {
    remoteAddress: remoteAddress === '' ? null : remoteAddress,
    helo,
    tls,
    senderDomain: senderDomainOf(mailFrom),
    connection: connection ?? null,
  };
}

function createDeliveryTest(filter: DeliveryFilter, keptSince: number): (one: RecentDelivery) => boolean {
  const fold = (text = ''): string => text.trim().toLowerCase();
  const [address, reply, id] = [fold(filter.address), fold(filter.reply), fold(filter.id)];
  const isHost = createHostTest(filter.host);
  const isSender = createSenderTest(filter.sender);
  return (one) =>
    one.at >= keptSince &&
    isInTime(filter, { from: one.at, to: one.at }) &&
    (filter.outcome === undefined || one.outcome === filter.outcome) &&
    one.address.toLowerCase().startsWith(address) &&
    one.reply.toLowerCase().includes(reply) &&
    (id === '' || one.id?.toLowerCase() === id || one.connection === id) &&
    isSender(one.senderDomain) &&
    isHost({ networks: one.remoteAddress === null ? [] : [one.remoteAddress], helo: one.helo });
}

function outcomeOf(reply: string): RecentOutcome {
  return reply.startsWith('4') ? 'deferred' : 'refused';
}

function addressOf(recipient: Recipient): string {
  if (recipient === 'operator') return 'postmaster';
  return isSession(recipient) ? recipient.address : recipient.unknownAt;
}
