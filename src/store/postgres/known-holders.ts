// Sessions that this node lately saw to be live, by their addresses: mail for one costs no look-up, which would be a
// fifth of taking it in. The commit checks again, so what is out of date here costs a sender a later answer and loses
// nothing. Believed only while other nodes' news are heard, and for less than a minute, after which no key of a session
// that ended elsewhere is left. Owned by PostgresMailStore.

import { type Session, type SessionKey, toKeyText } from '../../domain/session.ts';
import { KnownSessions } from '../known-sessions.ts';

/** Since it was asked for; with the tidying it is out of memory within a minute. */
const believedMs = 50_000;
const tidyMs = 5000;

interface Known {
  readonly key: SessionKey;
  readonly addressKey: string;
  /** Changed with each message. */
  session: Session;
  /** The database's clock and ours when it was seen, ms; ours from before the question. */
  readonly seenAt: number;
  readonly askedAt: number;
}

export interface KnownHoldersOptions {
  /** The database's clock as far as tests set it, else null. */
  readonly now: () => number | null;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/** `seenAt`: the database's clock in the answer, ms since 1970. */
type Learn = (addressKey: string, seen: { readonly session: Session; readonly seenAt: number }) => void;

export class KnownHolders {
  readonly #now: () => number | null;
  readonly #clock: () => number;
  readonly #known = new KnownSessions<Known>(({ addressKey }) => addressKey);
  /** For each question that is not answered yet, the sessions that have changed since it was asked. */
  readonly #changed = new Set<Set<string>>();
  #isListening = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ now, clock = () => performance.now() }: KnownHoldersOptions) {
    this.#now = now;
    this.#clock = clock;
  }

  /** Whether news of other nodes are heard from now on; what was known before is forgotten. */
  listen(isListening: boolean): void {
    this.clear();
    this.#isListening = isListening;
  }

  /** Undefined when it has to be looked up. */
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

  /** Asks the database. What changes before its answer is learnt makes the answer old: it is not kept then. */
  async ask<Answer>(question: (learn: Learn) => Promise<Answer>): Promise<Answer> {
    const askedAt = this.#clock();
    const changed = new Set<string>();
    this.#changed.add(changed);
    try {
      return await question((addressKey, { session, seenAt }) => {
        const { key } = session;
        if (!this.#isListening || changed.has(everybody) || changed.has(toKeyText(key))) return;
        this.#keep({ key, addressKey, session, seenAt, askedAt });
      });
    } finally {
      this.#changed.delete(changed);
    }
  }

  /** By a commit of this node. */
  noteStored(key: SessionKey, stored: { readonly id: number; readonly sizeBytes: number }): void {
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

  /** It changed otherwise, or ended. */
  forget(key: SessionKey): void {
    for (const changed of this.#changed) changed.add(toKeyText(key));
    const known = this.#known.findByKey(key);
    if (known) this.#known.forget(known);
  }

  clear(): void {
    for (const changed of this.#changed) changed.add(everybody);
    this.#known.clear();
    this.#stopTidying();
  }

  #keep(known: Known): void {
    const before = this.#known.findByAddress(known.addressKey);
    if (before) this.#known.forget(before);
    this.#known.add(known);
    this.#timer ??= setInterval(this.#tidy, tidyMs).unref();
  }

  /** Nothing may look for them any more, and their keys must not stay. */
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

/** No key has this text. */
const everybody = '*';
