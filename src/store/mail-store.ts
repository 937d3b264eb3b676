// The port to sessions, their messages and their logs. Every implementation passes test/contract/mail-store.ts.
// Everything the store keeps has been sealed by its caller (secrets/); it orders, counts and commits.
// Time is the store's own clock; what a caller was told has ended stays ended, wherever that clock goes.
// A promise resolves only when what it tells is durable.

import type { SessionEvent } from '../domain/event.ts';
import type { Session, SessionKey, SessionLookup } from '../domain/session.ts';
import type { Lease } from './lease-store.ts';

export interface NewSession {
  readonly key: SessionKey;
  /** SHA-256 of the token, 32 bytes. */
  readonly tokenHash: Uint8Array;
  readonly address: string;
  /** The address in the form under which it is unique. */
  readonly addressKey: string;
  /** 32 bytes. */
  readonly dataKey: Uint8Array;
  readonly lifetimeMs: number;
  readonly totalLifetimeMs: number;
  /** How long the address rests after the session's end. */
  readonly quarantineMs: number;
  /** What makes room once the session is full: its oldest messages. Undefined for nothing. */
  readonly dropsOldest?: boolean | undefined;
  /** Of the Gmail account whose alias the address is; undefined for an address on a domain. */
  readonly accountId?: number | undefined;
}

/** The address that a session takes in place of its own. */
export interface NewAddress extends Pick<NewSession, 'address' | 'addressKey'> {
  /** How long the new address rests after its use. */
  readonly quarantineMs: number;
}

/**
 * `taken`: as at createSession; nothing has changed. `alias`: the address is one of a Gmail account's, which stay as
 * they are. `ended`: the session is not live.
 */
export type RenameOutcome = Session | 'taken' | 'alias' | 'ended';

/**
 * How much a session may hold. The commit of a delivery checks it. In a session that drops its oldest messages these go
 * in that commit, each told by an event, where that makes room for the new one and no more than `dropsMax` have to go.
 */
export interface SessionQuota {
  /** Infinity for none. */
  readonly messages: number;
  readonly bytes: number;
}

/** Messages that one delivery can displace. */
export const dropsMax = 1000;

/** A message for one session. `raw` is iterated within the commit, chunk by chunk, and again if it is retried. */
export interface Delivery {
  readonly key: SessionKey;
  readonly sizeBytes: number;
  readonly meta: Uint8Array;
  /** Sealed chunks; the iterable may throw, which fails this delivery's group entry alone. */
  readonly raw: Iterable<Uint8Array>;
  /**
   * 16 bytes that tell this message from every other one that may be fetched for the session. A second delivery of
   * the same origin is a `duplicate`, until the session is reclaimed, even when the message has been deleted.
   */
  readonly origin?: Uint8Array | undefined;
}

export type DeliveryOutcome =
  | { readonly outcome: 'stored'; readonly id: number; readonly receivedAt: number }
  | { readonly outcome: 'ended' | 'full' | 'duplicate' };

export interface StoredMessage {
  readonly id: number;
  readonly sizeBytes: number;
  readonly receivedAt: number;
  readonly isRead: boolean;
  readonly meta: Uint8Array;
  /** Sealed glance, null until one is kept. */
  readonly glance: Uint8Array | null;
}

export interface MessageRange {
  /** Only ids greater than this. */
  readonly after?: number;
  /** Only ids less than this. */
  readonly before?: number;
  readonly limit: number;
  readonly order: 'newest-first' | 'oldest-first';
}

export interface EventPage {
  readonly events: readonly SessionEvent[];
  /** Entries after the asked position have been dropped: the reader has to list again. */
  readonly reset: boolean;
}

export interface MailStore {
  /** `taken` when a live session holds the address or it is in quarantine. */
  createSession(session: NewSession): Promise<Session | 'taken'>;
  /** `tokenHash`: SHA-256 of the token, 32 bytes. */
  findSession(tokenHash: Uint8Array): Promise<SessionLookup>;
  findSessionByKey(key: SessionKey): Promise<SessionLookup>;
  /**
   * True when the session is live and its log ends at `seq`; false tells nothing. Answers from memory and never throws:
   * for readers with nothing to read, of whom there are many and who look often.
   */
  isAtEnd(key: SessionKey, seq: number): boolean;
  /** The live session that holds the address, or has the key, whether it is full or not. Asked for every recipient. */
  findLiveSession(holder: string | SessionKey): Promise<Session | undefined>;
  /** New end = now + lifetime, never earlier than before, never past the total; undefined when not live. */
  extendSession(key: SessionKey, lifetimeMs: number): Promise<Session | undefined>;
  /**
   * Gives the session another address; the one it had begins to rest, for its quarantine or longer. The session itself
   * may take back an address of its own that rests.
   */
  renameSession(key: SessionKey, to: NewAddress): Promise<RenameOutcome>;
  /** False when the session is not live. */
  endSession(key: SessionKey): Promise<boolean>;

  /**
   * Stores one message for each recipient in one atomic commit, shared with whatever else waits. Outcomes are in
   * the order given. Rejects when nothing was stored.
   */
  deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]>;

  listMessages(key: SessionKey, range: MessageRange): Promise<StoredMessage[]>;
  findMessage(key: SessionKey, id: number): Promise<StoredMessage | undefined>;
  /** Sealed chunks in order; ends early by throwing when the message goes meanwhile. */
  readRaw(key: SessionKey, id: number): AsyncIterable<Uint8Array>;
  /** Tells no reader. As all that reading leaves behind (glance, authentication), nothing is kept while the disk has no room. */
  markRead(key: SessionKey, id: number): Promise<void>;
  /**
   * As a reader asks for it: a change is an entry of the log, `message.read` or `message.unread`. False when the session
   * is not live or has no such message, else true.
   */
  setRead(key: SessionKey, id: number, isRead: boolean): Promise<boolean>;
  /** Keeps the sealed glance, within a second or so; does nothing when the message is gone. */
  keepGlance(key: SessionKey, id: number, glance: Uint8Array): Promise<void>;
  /** The sealed results of authentication; undefined when none are kept or the message is gone. */
  findAuthentication(key: SessionKey, id: number): Promise<Uint8Array | undefined>;
  /** Keeps them in place of earlier ones; does nothing when the message is gone. */
  keepAuthentication(key: SessionKey, id: number, authentication: Uint8Array): Promise<void>;
  /** False when there is no such message. `attempt`: sealed, kept in the delivery log in the message's place. */
  deleteMessage(key: SessionKey, id: number, attempt?: Uint8Array): Promise<boolean>;
  listEvents(key: SessionKey, after: number, limit: number): Promise<EventPage>;

  /**
   * Ends what is due, destroys keys of ended sessions; returns how many were destroyed.
   * @param lease where nodes share the store: nothing is done once another has it
   */
  endDueSessions(limit: number, lease?: Lease): Promise<number>;
  /** True when no file or log of the store holds a key destroyed before this call; false when it is to be tried again. */
  scrub(): Promise<boolean>;
  /**
   * Frees space of erased sessions for at most `budgetMs` of the store's thread; false when nothing is left.
   * @param lease as for endDueSessions
   */
  reclaim(budgetMs: number, lease?: Lease): Promise<boolean>;

  close(): Promise<void>;
}
