// The port to sessions, their messages and their logs. Every implementation passes test/contract/mail-store.ts.
// Everything stored was sealed by the caller (secrets/); the store orders, counts and commits. Time is the store's own
// clock; a session reported as ended stays ended, whatever that clock does. A promise resolves only when its result is
// durable.

import type { SessionEvent } from '../domain/event.ts';
import type { Session, SessionKey, SessionLookup } from '../domain/session.ts';
import type { Lease } from './lease-store.ts';

export interface NewSession {
  readonly key: SessionKey;
  /** SHA-256 of the token, 32 bytes. */
  readonly tokenHash: Uint8Array;
  readonly address: string;
  /** The address in the form by which it is unique. */
  readonly addressKey: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 16 bytes; deleted in the commit that ends the session. */
  readonly salt: Uint8Array;
  readonly lifetimeMs: number;
  readonly totalLifetimeMs: number;
  /** How long the address stays in quarantine after the session. */
  readonly quarantineMs: number;
  /** Whether a full session's oldest messages make room for new ones. */
  readonly dropsOldest?: boolean | undefined;
  /** The Gmail account whose alias the address is; undefined for an address on a domain. */
  readonly accountId?: number | undefined;
}

/** The address that replaces a session's own. */
export interface NewAddress extends Pick<NewSession, 'address' | 'addressKey'> {
  /** How long the new address stays in quarantine after its use. */
  readonly quarantineMs: number;
}

/**
 * `taken`: as for createSession; nothing has changed. `alias`: the address belongs to a Gmail account, whose aliases
 * cannot be replaced. `ended`: the session is not live.
 */
export type RenameOutcome = Session | 'taken' | 'alias' | 'ended';

/**
 * The limits of a session, checked in the commit of a delivery. A session below both takes one more message of any
 * size: senders learn of a full session before they send (resolve-recipient.ts), and what was accepted is not lost. A
 * session that drops its oldest messages does so in that commit, with an event for each, until the new one fits, but at
 * most `dropsMax`.
 */
export interface SessionQuota {
  /** Infinity for no limit. */
  readonly messages: number;
  readonly bytes: number;
}

/** The most messages that one delivery can displace. */
export const dropsMax = 1000;

/** A message for one session. `raw` is iterated within the commit, chunk by chunk, and again on a retry. */
/** Sealed chunks. The iterable may throw, which fails only this delivery of its group. */
export type RawChunks = Iterable<Uint8Array> & {
  /**
   * Like iterating, but each chunk lies in a slab of at least `sealedChunkMaxBytes` that the function returns. It stays
   * valid until the slab is returned again, so a store that writes each chunk before the next needs only one slab.
   */
  readonly into?: (nextSlab: () => Buffer) => Iterable<Uint8Array>;
};

export interface Delivery {
  readonly key: SessionKey;
  readonly sizeBytes: number;
  readonly meta: Uint8Array;
  readonly raw: RawChunks;
  /**
   * 16 bytes that identify this message among all that may be fetched for the session. Another delivery of the same
   * origin is a `duplicate` until the session is reclaimed, even after the message was deleted.
   */
  readonly origin?: Uint8Array | undefined;
}

/** `withheld`: not stored because another delivery of the same call was `full`. */
export type DeliveryOutcome =
  | { readonly outcome: 'stored'; readonly id: number; readonly receivedAt: number }
  | { readonly outcome: 'ended' | 'full' | 'duplicate' | 'withheld' };

export interface StoredMessage {
  readonly id: number;
  readonly sizeBytes: number;
  readonly receivedAt: number;
  readonly isRead: boolean;
  readonly meta: Uint8Array;
  /** The sealed glance; null until one is stored. */
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
  /** Entries after the requested position were dropped, so the reader must list again. */
  readonly reset: boolean;
}

/**
 * `on-disk` for what no power cut can undo. `committed` may be ahead of it by read marks: for a caller that gives away
 * neither `seq` nor `version`, which would then stand for something else.
 */
export type SessionView = 'on-disk' | 'committed';

/** Reading messages rejects with MayflyError `session_expired` when the session is not live, even if it ended meanwhile. */
export interface MailStore {
  /** Resolves with `taken` when a live session holds the address or it is in quarantine. */
  createSession(session: NewSession): Promise<Session | 'taken'>;
  /**
   * `tokenHash`: SHA-256 of the token, 32 bytes.
   * @param view `on-disk` by default
   */
  findSession(tokenHash: Uint8Array, view?: SessionView): Promise<SessionLookup>;
  findSessionByKey(key: SessionKey, view?: SessionView): Promise<SessionLookup>;
  /**
   * Returns true when the session is live and its log ends at `seq`; false says nothing. Answers from memory and never
   * throws: many readers call it often with nothing to read.
   */
  isAtEnd(key: SessionKey, seq: number): boolean;
  /** Finds the live session with the address or key, full or not. Called for every recipient. */
  findLiveSession(holder: string | SessionKey): Promise<Session | undefined>;
  /**
   * Moves the end to now + lifetime, never earlier than before and never past the total. Resolves with undefined when
   * not live.
   */
  extendSession(key: SessionKey, lifetimeMs: number): Promise<Session | undefined>;
  /**
   * Gives the session another address; the former one goes into quarantine, at least for its usual time. The session
   * may take back one of its own addresses from quarantine.
   */
  renameSession(key: SessionKey, to: NewAddress): Promise<RenameOutcome>;
  /** Resolves with false when the session is not live. */
  endSession(key: SessionKey): Promise<boolean>;

  /**
   * Stores one message per recipient in one atomic commit, shared with other waiting writes. If a live session is full,
   * nothing of the call is stored, because its sender gets one reply for all. Outcomes are in the given order. Rejects
   * when nothing was stored.
   */
  deliver(deliveries: readonly Delivery[]): Promise<DeliveryOutcome[]>;

  listMessages(key: SessionKey, range: MessageRange): Promise<StoredMessage[]>;
  findMessage(key: SessionKey, id: number): Promise<StoredMessage | undefined>;
  /** Yields sealed chunks in order; throws `message_not_found` when the message is deleted meanwhile. */
  readRaw(key: SessionKey, id: number): AsyncIterable<Uint8Array>;
  /**
   * As setRead, for a message that was read. Like everything that reading stores (glance, authentication), skipped
   * while the disk is full; and a power cut may undo it, but not once its entry of the log or its version was read.
   */
  markRead(key: SessionKey, id: number): Promise<void>;
  /**
   * Sets the mark. A change, and nothing else, makes an entry in the log, `message.read` or `message.unread`. Resolves
   * with false when there is no such message; rejects as reading does.
   */
  setRead(key: SessionKey, id: number, isRead: boolean): Promise<boolean>;
  /** Stores the sealed glance within about a second; does nothing if the message is gone. */
  keepGlance(key: SessionKey, id: number, glance: Uint8Array): Promise<void>;
  /** Returns the sealed results of authentication; undefined when there are none or the message is gone. */
  findAuthentication(key: SessionKey, id: number): Promise<Uint8Array | undefined>;
  /** Replaces earlier results; does nothing when the message is gone. */
  keepAuthentication(key: SessionKey, id: number, authentication: Uint8Array): Promise<void>;
  /**
   * Resolves with false when there is no such message; rejects as reading does. `attempt`: the sealed entry that takes
   * the message's place in the delivery log.
   */
  deleteMessage(key: SessionKey, id: number, attempt?: Uint8Array): Promise<boolean>;
  listEvents(key: SessionKey, after: number, limit: number): Promise<EventPage>;

  /**
   * Ends due sessions; resolves with how many.
   * @param lease where nodes share the store: nothing is done once another has it
   */
  endDueSessions(limit: number, lease?: Lease): Promise<number>;
  /**
   * Frees space of ended sessions for at most `budgetMs` of the store thread's time; resolves with false when nothing
   * is left.
   * @param lease as for endDueSessions
   */
  reclaim(budgetMs: number, lease?: Lease): Promise<boolean>;

  close(): Promise<void>;
}
