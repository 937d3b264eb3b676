// Caches sessions that were recently live, by address: mail for one needs no look-up, which would be a fifth of the
// cost of a delivery. The commit checks again, so a stale entry only delays the refusal and loses nothing. Used only
// while news from other nodes is received. Entries live for less than a minute, so that the key of a session that ended
// elsewhere does not remain. Owned by PostgresMailStore.

import { type Session, type SessionKey, toKeyText } from '../../domain/session.ts';
import { KnownSessions } from '../known-sessions.ts';

/** Counted from the query; entries are removed within a minute. */
const believedMs = 50_000;
const tidyMs = 5000;

interface Known {
  readonly key: SessionKey;
  readonly addressKey: string;
  /** Updated with each message. */
  session: Session;
  /** The times of the database's clock and of ours when the session was read, in ms; ours is from before the query. */
  readonly seenAt: number;
  readonly askedAt: number;
}

export interface KnownHoldersOptions {
  /** The instant set by tests, else null. */
  readonly now: () => number | null;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/** `seenAt`: the database's clock in the response, ms since 1970. */
type Learn = (addressKey: string, seen: { readonly session: Session; readonly seenAt: number }) => void;

export class KnownHolders {
  readonly #now: () => number | null;
  readonly #clock: () => number;
  readonly #known = new KnownSessions<Known>(({ addressKey }) => addressKey);
  /** For each pending query, the sessions that changed since it was sent. */
  readonly #changed = new Set<Set<string>>();
  #isListening = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ now, clock = () => performance.now() }: KnownHoldersOptions) {
    this.#now = now;
    this.#clock = clock;
  }

  /** Sets whether news from other nodes is received from now on; clears the cache. */
  listen(isListening: boolean): void {
    this.clear();
    this.#isListening = isListening;
  }

  /** Returns undefined when the session must be looked up. */
  find(holder: string | SessionKey): Session | undefined {
    const known =
      typeof holder === 'string' ? this.#known.findByAddress(holder) : this.#known.findByKey(holder);
    if (!known) return undefined;
    const sinceMs = this.#clock() - known.askedAt;
    const now = this.#now() ?? known.seenAt + sinceMs;
    if (sinceMs < believedMs && now < known.session.expiresAt) return known.session;
    this.#known.forget(known);
    return undefined;
  }

  /** Queries the database. A session that changes before the response arrives is not cached. */
  async ask<Answer>(question: (learn: Learn) => Promise<Answer>): Promise<Answer> {
    const askedAt = this.#clock();
    const changed = new Set<string>();
    this.#changed.add(changed);
    try {
      return await question((addressKey, { session, seenAt }) => {
        const { key } = session;
        if (!this.#isListening || changed.has(anySession) || changed.has(toKeyText(key))) return;
        this.#keep({ key, addressKey, session, seenAt, askedAt });
      });
    } finally {
      this.#changed.delete(changed);
    }
  }

  /** Records a commit of this node. */
  recordStored(key: SessionKey, stored: { readonly id: number; readonly sizeBytes: number }): void {
    const known = this.#known.findByKey(key);
    if (!known) return;
    const { session } = known;
    known.session = {
      ...session,
      seq: Math.max(session.seq, stored.id),
      version: session.version + 1,
      messageCount: session.messageCount + 1,
      messageBytes: session.messageBytes + stored.sizeBytes,
    };
  }

  /** Removes a session that ended or changed otherwise. */
  forget(key: SessionKey): void {
    for (const changed of this.#changed) changed.add(toKeyText(key));
    const known = this.#known.findByKey(key);
    if (known) this.#known.forget(known);
  }

  clear(): void {
    for (const changed of this.#changed) changed.add(anySession);
    this.#known.clear();
    this.#stopTidying();
  }

  #keep(known: Known): void {
    const before = this.#known.findByAddress(known.addressKey);
    if (before) this.#known.forget(before);
    this.#known.add(known);
    this.#timer ??= setInterval(this.#tidy, tidyMs).unref();
  }

  /** Unused entries must go too, because their keys must not stay. */
  readonly #tidy = (): void => {
    for (let { oldest } = this.#known; oldest; { oldest } = this.#known) {
      if (this.#clock() - oldest.askedAt < believedMs) return;
      this.#known.forget(oldest);
    }
    this.#stopTidying();
  };

  #stopTidying(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Equal to no key. */
const anySession = '*';
