// Who a message is really from, as far as the DNS tells: checked in the background when the message is first listed or
// read, never on the receiving path, then kept sealed. A check that the DNS left open is made again at a later reading.
// Used by read-mail and message-glances, and by dmarc-refusal for the few domains that want it before the commit.

import { setTimeout as delay } from 'node:timers/promises';

import { type Authentication, isUnfinished, unfinishedAuthentication } from '../domain/authentication.ts';
import { MayflyError } from '../domain/mayfly-error.ts';
import type { IncomingMessage, MessageMeta } from '../domain/message.ts';
import { type Session, toKeyText } from '../domain/session.ts';
import type { MessageAuthenticator } from '../net/authenticate-message.ts';
import { toClientNetwork } from '../net/client-network.ts';
import { openSealed, sealBytes } from '../secrets/seal.mjs';
import type { MailStore, StoredMessage } from '../store/mail-store.ts';
import { FairLane } from '../threads/fair-lane.ts';
import type { TurnOwner } from '../threads/fair-queue.ts';
import { judgeHeader } from './judge-header.ts';
import { openMeta } from './open-meta.ts';
import { readWholeRaw } from './sealed-raw.ts';
import { turnOwner } from './turn-owner.ts';

export interface MessageAuthentications {
  /**
   * For a message that a person is shown in a list: begins in the background unless the results are kept or under way,
   * or too much waits already. Cheap when called again.
   */
  begin(session: Session, stored: StoredMessage): void;
  /**
   * What is kept, else what comes within `waitMs`, else all `temperror`: the check goes on and its results are kept.
   * With `waitMs` 0 no check is begun and null tells that nothing is known, as it does when checks are off.
   */
  find(session: Session, stored: StoredMessage, waitMs: number): Promise<Authentication | null>;
  /** Of a message that is not stored; undefined when it does not come within `waitMs` or checks are off. */
  check(message: IncomingMessage, waitMs: number): Promise<Authentication | undefined>;
  /** Nothing is kept from then on. */
  close(): Promise<void>;
}

export interface MessageAuthenticationsOptions {
  readonly mail: MailStore;
  readonly authenticator: MessageAuthenticator;
  readonly onError: (error: unknown) => void;
  /** ms since 1970. */
  readonly now?: () => number;
}

/** What is sealed beside the message. */
interface KeptAuthentication {
  readonly authentication: Authentication;
  readonly checkedAt: number;
  readonly attempts: number;
  /** Of the rules by which it was judged; what other rules made is made again. Absent for the first. */
  readonly rules?: number;
}

const rules = 2;

/** Whole messages in memory at once, to be checked. What finds no room to wait is checked when it is read. */
const smallMaxBytes = 1024 * 1024;
const smallOnes = { atOnce: 16, perSession: 4, perNetwork: 8, maxWaiting: 1000 } as const;
const largeOnes = { atOnce: 1, perSession: 1, perNetwork: 1, maxWaiting: 1000 } as const;
/** A check that was left open is made again no sooner, and no more often in all. */
const againAfterMs = 60_000;
const attemptsMax = 5;
/** Messages that `begin` remembers to have seen. */
const begunMax = 20_000;
/** After a wait in vain further ones are this short, for this long. */
const slowWaitMs = 50;
const slowForMs = 30_000;

export function createMessageAuthentications(options: MessageAuthenticationsOptions): MessageAuthentications {
  return new Authentications(options);
}

/** Where the operator has turned checks off. */
export const noAuthentications: MessageAuthentications = {
  begin: () => undefined,
  find: () => Promise.resolve(null),
  check: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
};

class Authentications implements MessageAuthentications {
  readonly #options: MessageAuthenticationsOptions;
  readonly #small = new FairLane(smallOnes);
  readonly #large = new FairLane(largeOnes);
  readonly #pending = new Map<string, Promise<Authentication | undefined>>();
  /** Names of messages. */
  readonly #begun = new Set<string>();
  #isClosed = false;
  #slowUntil = 0;

  constructor(options: MessageAuthenticationsOptions) {
    this.#options = options;
  }

  begin(session: Session, stored: StoredMessage): void {
    const name = toName(session, stored);
    if (this.#begun.has(name)) return;
    this.#begun.add(name);
    if (this.#begun.size > begunMax) this.#begun.clear();
    this.#find(session, stored).catch(this.#options.onError);
  }

  async find(session: Session, stored: StoredMessage, waitMs: number): Promise<Authentication | null> {
    if (waitMs === 0) return (await this.#findKept(session, stored))?.authentication ?? null;
    const found = this.#find(session, stored);
    const late = unfinishedAuthentication('not known yet');
    const waited = new AbortController();
    try {
      const { kept, running } = await found;
      if (kept || !running) return kept ?? late;
      const timeout = delay(this.#boundWait(waitMs), undefined, { signal: waited.signal, ref: false });
      const result = await Promise.race([running, timeout]);
      if (!result) this.#slowUntil = performance.now() + slowForMs;
      return result ?? late;
    } finally {
      waited.abort();
    }
  }

  /** A DNS that let one reader wait in vain does not hold up the next ones as well. */
  #boundWait(waitMs: number): number {
    return performance.now() < this.#slowUntil ? Math.min(waitMs, slowWaitMs) : waitMs;
  }

  async check(
    { raw, envelope, source }: IncomingMessage,
    waitMs: number,
  ): Promise<Authentication | undefined> {
    const waited = new AbortController();
    // Of the sender: nothing of a reader's is to be had by it.
    const network = `smtp ${toClientNetwork(source.remoteAddress)}`;
    const checked = this.#run(raw.sizeBytes, { session: network, network }, async () => {
      // The caller has gone on, and the bytes with it.
      if (waited.signal.aborted) return undefined;
      return this.#authenticate(copyPieces(raw.pieces(), raw.sizeBytes), { envelope, source });
    }).catch((error: unknown) => this.#note(error));
    try {
      return await Promise.race([checked, delay(waitMs, undefined, { signal: waited.signal, ref: false })]);
    } finally {
      waited.abort();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#options.authenticator.close();
    await Promise.allSettled(this.#pending.values());
  }

  /** What is kept, and the check that is under way if there is none or it was left open. */
  async #find(
    session: Session,
    stored: StoredMessage,
  ): Promise<{ kept?: Authentication; running?: Promise<Authentication | undefined> }> {
    const { now = Date.now } = this.#options;
    const kept = await this.#findKept(session, stored);
    if (!kept) {
      const running = this.#start(session, stored, 1);
      return running ? { running } : {};
    }
    const { authentication, checkedAt, attempts } = kept;
    if (isUnfinished(authentication) && attempts < attemptsMax && now() - checkedAt > againAfterMs) {
      void this.#start(session, stored, attempts + 1);
    }
    return { kept: authentication };
  }

  async #findKept(session: Session, stored: StoredMessage): Promise<KeptAuthentication | undefined> {
    const sealed = await this.#options.mail.findAuthentication(session.key, stored.id);
    if (!sealed) return undefined;
    const opened = openSealed(session.dataKey, 'authentication', sealed).toString();
    const kept = JSON.parse(opened) as KeptAuthentication;
    return kept.rules === rules ? kept : undefined;
  }

  #start(
    session: Session,
    stored: StoredMessage,
    attempts: number,
  ): Promise<Authentication | undefined> | undefined {
    const id = toName(session, stored);
    const pending = this.#pending.get(id);
    if (pending || this.#isClosed) return pending;
    const make = (): Promise<Authentication | undefined> => this.#make(session, stored, attempts);
    const started = this.#run(stored.sizeBytes, turnOwner(session), make)
      .catch((error: unknown) => this.#note(error))
      .finally(() => this.#pending.delete(id));
    this.#pending.set(id, started);
    return started;
  }

  #run<T>(sizeBytes: number, owner: TurnOwner, task: () => Promise<T>): Promise<T> {
    return (sizeBytes <= smallMaxBytes ? this.#small : this.#large).run(owner, task);
  }

  /** No room to wait is no fault. */
  #note(error: unknown): undefined {
    if (!(error instanceof MayflyError)) this.#options.onError(error);
  }

  /** Undefined when the message went meanwhile. */
  async #make(
    session: Session,
    stored: StoredMessage,
    attempts: number,
  ): Promise<Authentication | undefined> {
    const { mail, now = Date.now } = this.#options;
    if (this.#isClosed || !(await mail.findMessage(session.key, stored.id))) return undefined;
    const raw = await readWholeRaw(mail, session, stored);
    const made = await this.#authenticate(raw, openMeta(session, stored));
    const authentication = made ?? unfinishedAuthentication('the check did not come to an end');
    if (this.#isClosed) return authentication;
    // A check for which there was no time is no attempt: it is made again however often that was so.
    const kept = { authentication, checkedAt: now(), attempts: made ? attempts : attempts - 1, rules };
    const text = JSON.stringify(kept satisfies KeptAuthentication);
    const sealed = sealBytes(session.dataKey, 'authentication', Buffer.from(text));
    await mail.keepAuthentication(session.key, stored.id, sealed);
    return authentication;
  }

  #authenticate(
    raw: Uint8Array,
    { envelope, source }: Pick<MessageMeta, 'envelope' | 'source'>,
  ): Promise<Authentication | undefined> {
    const { remoteAddress, helo } = source;
    return this.#options.authenticator.authenticate({
      ...judgeHeader(raw),
      ...{ remoteAddress, helo, mailFrom: envelope.mailFrom },
    });
  }
}

function toName(session: Session, { id }: StoredMessage): string {
  return `${toKeyText(session.key)}${id}`;
}

function copyPieces(pieces: Iterable<Buffer>, sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes);
  let filled = 0;
  for (const piece of pieces) {
    whole.set(piece, filled);
    filled += piece.length;
  }
  return whole;
}
