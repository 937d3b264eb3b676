// The last deliveries to this process, for the operator: time, address, outcome and sending host. Kept only in memory,
// a fixed number for at most a day, without the message's content or sender. Made once by create-operating.ts.

import type { Address } from '#mail-receiver/address';
import type { MessageMeta } from '../../domain/message.ts';
import { acceptedReply, type DeliveryLog } from './delivery-log.ts';
import { isSession, type Recipient } from '../session/recipient.ts';
import { Ring } from './ring.ts';

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
  /** TLS version and cipher; null for a plain connection, or when unknown. */
  readonly tls: string | null;
}

/** A message after its commit. */
export interface Received {
  readonly meta: MessageMeta;
  readonly sizeBytes: number;
  /** For each recipient; undefined for one that did not receive it. */
  readonly outcomes: readonly ('accepted' | 'discarded' | undefined)[];
}

export interface DeliveryFilter {
  /** The beginning of the address, in lower case; all when empty. */
  readonly address: string;
  readonly outcome: RecentOutcome | undefined;
  readonly limit: number;
}

export interface RecentDeliveries {
  /** ms since 1970; nothing older is known. */
  readonly since: number;
  recordReceived(received: Received): void;
  readonly recordRefusal: DeliveryLog['recordRefusal'];
  recordUnknownRecipient(address: Address, reply: string): void;
  /** Newest first. */
  list(filter: DeliveryFilter): RecentDelivery[];
}

/** Unknown addresses are kept apart, so that a flood of guesses displaces nothing else. */
const keptMax = 2000;
const unknownKeptMax = 500;
const keptMs = 24 * 60 * 60 * 1000;

export function createRecentDeliveries(clock: () => number = Date.now): RecentDeliveries {
  const known = new Ring<RecentDelivery>(keptMax);
  const unknown = new Ring<RecentDelivery>(unknownKeptMax);
  return {
    since: clock(),
    recordReceived({ meta, sizeBytes, outcomes }) {
      const { remoteAddress, tls } = meta.source;
      const [at, reply] = [clock(), acceptedReply(meta)];
      for (const [place, outcome] of outcomes.entries()) {
        const address = meta.envelope.rcptTo[place];
        if (outcome === undefined || address === undefined) continue;
        known.push({ at, address, outcome, reply, sizeBytes, remoteAddress, tls });
      }
    },
    recordRefusal(recipients, { reply, sizeBytes, remoteAddress, tls }) {
      const [at, outcome] = [clock(), outcomeOf(reply)];
      for (const recipient of recipients) {
        known.push({ at, address: addressOf(recipient), outcome, reply, sizeBytes, remoteAddress, tls });
      }
    },
    recordUnknownRecipient({ localPart, domain }, reply) {
      const nothing = { sizeBytes: null, remoteAddress: null, tls: null };
      const address = `${localPart}@${domain}`;
      unknown.push({ at: clock(), address, outcome: outcomeOf(reply), reply, ...nothing });
    },
    list({ address, outcome, limit }) {
      const from = clock() - keptMs;
      return [...known.newestFirst(), ...unknown.newestFirst()]
        .filter((one) => one.at >= from && (outcome === undefined || one.outcome === outcome))
        .filter((one) => one.address.toLowerCase().startsWith(address))
        .sort((one, other) => other.at - one.at)
        .slice(0, limit);
    },
  };
}

function outcomeOf(reply: string): RecentOutcome {
  return reply.startsWith('4') ? 'deferred' : 'refused';
}

function addressOf(recipient: Recipient): string {
  if (recipient === 'operator') return 'postmaster';
  return isSession(recipient) ? recipient.address : recipient.unknownAt;
}
