// Authenticates messages by the DNS in the background when they are first listed or read, never on the receiving path,
// and stores the results sealed. A check that DNS left undecided is repeated when the message is read later. Used by
// read-mail, and by dmarc-refusal for the few domains that need it before the commit.

import { setTimeout as delay } from 'node:timers/promises';

import { toClientNetwork } from '#networks/client-network';
import type { TurnOwner } from '#networks/fair-queue';
import { type Authentication, isUnfinished, unfinishedAuthentication } from '#mail-receiver/authentication';
import { MayflyError, unavailable } from '../../domain/mayfly-error.ts';
import type { IncomingMessage, MessageMeta } from '../../domain/message.ts';
import { type Session, toKeyText } from '../../domain/session.ts';
import type { MessageAuthenticator } from '#mail-threads/authenticate-message';
import { sealer } from '#sealing/sealer';
import type { MailStore, StoredMessage } from '../../store/mail-store.ts';
import { FairLane } from '#networks/fair-lane';
import { openMeta } from '../session/open-meta.ts';
import { readWholeRaw } from '../session/sealed-raw.ts';
import { turnOwner } from '../session/turn-owner.ts';
import type { OpenSession } from '../session/session-access.ts';
import { readFromField } from '@mayfly/mail-reader/header';
import { toAsciiDomain } from '#mail-receiver/ascii-domain';
import type { AuthenticationRequest } from '#mail-receiver/check-authentication';
import { checkHeader } from '#mail-receiver/header-check';

export interface MessageAuthentications {
  /**
   * Starts a check in the background for a message shown in a list, unless its results are stored or in progress, or
   * too many are waiting already. Cheap when repeated.
   */
  begin(session: OpenSession, stored: StoredMessage): void;
  /**
   * Resolves with the stored results, else with those that arrive within `waitMs`, else with all `temperror` while the
   * check goes on.
   * With `waitMs` 0 no check is started; null means that nothing is known, or checks are off.
   */
  find(session: OpenSession, stored: StoredMessage, waitMs: number): Promise<Authentication | null>;
  /**
   * Checks a message that is not stored; resolves with undefined when that takes longer than `waitMs` or checks are
   * off.
   */
  check(message: IncomingMessage, waitMs: number): Promise<Authentication | undefined>;
  /** Stores nothing from then on. */
  close(): Promise<void>;
}

export interface MessageAuthenticationsOptions {
  readonly mail: MailStore;
  readonly authenticator: MessageAuthenticator;
  readonly onError: (error: unknown) => void;
  /** ms since 1970. */
  readonly now: () => number;
}

/** The results sealed beside the message. */
interface KeptAuthentication {
  readonly authentication: Authentication;
  readonly checkedAt: number;
  readonly attempts: number;
  /** The version of the rules used; results of other versions are made again. Absent for the first. */
  readonly rules?: number;
}

const rules = 2;

interface MadeCheck {
  readonly authentication: Authentication;
  /** False when it was not made for lack of time. */
  readonly isComplete: boolean;
}

/** A check in progress, or one whose results are not stored yet: a reader waits for the results alone. */
interface PendingCheck {
  readonly result: Promise<Authentication | undefined>;
  readonly kept: Promise<void>;
}

/** Limits whole messages in memory for checks. Messages for which there is no room are checked when read. */
const smallMaxBytes = 1024 * 1024;
const smallOnes = { atOnce: 16, perSession: 4, perNetwork: 8, perSite: 12, waitingMax: 1000 } as const;
const largeOnes = { atOnce: 1, perSession: 1, perNetwork: 1, perSite: 1, waitingMax: 1000 } as const;
/** How soon an undecided check may be repeated, and how often in all. */
const againAfterMs = 60_000;
const attemptsMax = 5;
/** The most messages that `begin` remembers. */
const begunMax = 20_000;
/** After a wait that timed out, waits are this short for this long. */
const slowWaitMs = 50;
const slowForMs = 30_000;

export function createMessageAuthentications(options: MessageAuthenticationsOptions): MessageAuthentications {
  return new Authentications(options);
}

/** Used when the operator has turned checks off. */
export const noAuthentications: MessageAuthentications = {
  begin: () => undefined,
  find: () => Promise.resolve(null),
  check: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
};

class Authentications implements MessageAuthentications {
  readonly #options: MessageAuthenticationsOptions;
  readonly #small = new FairLane({ ...smallOnes, refuse: unavailable });
  readonly #large = new FairLane({ ...largeOnes, refuse: unavailable });
  readonly #pending = new Map<string, PendingCheck>();
  /** The names of messages whose checks have begun. */
  readonly #begun = new Set<string>();
  #isClosed = false;
  #slowUntil = 0;

  constructor(options: MessageAuthenticationsOptions) {
    this.#options = options;
  }

  begin(session: OpenSession, stored: StoredMessage): void {
    const name = toName(session, stored);
    if (this.#begun.has(name)) return;
    this.#begun.add(name);
    if (this.#begun.size > begunMax) this.#begun.clear();
    this.#find(session, stored).catch(this.#options.onError);
  }

  async find(session: OpenSession, stored: StoredMessage, waitMs: number): Promise<Authentication | null> {
    if (waitMs === 0) return (await this.#findKnown(session, stored)) ?? null;
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

  /** Keeps an unresponsive DNS that delayed one reader from holding up the next. */
  #boundWait(waitMs: number): number {
    return performance.now() < this.#slowUntil ? Math.min(waitMs, slowWaitMs) : waitMs;
  }

  async check(
    { raw, envelope, source }: IncomingMessage,
    waitMs: number,
  ): Promise<Authentication | undefined> {
    const waited = new AbortController();
    // Counts the sender's network, so that it cannot use up a reader's share.
    const network = `smtp ${toClientNetwork(source.remoteAddress)}`;
    const checked = this.#run(raw.sizeBytes, { session: network, network }, async () => {
      // The caller has moved on and released the bytes.
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
    await Promise.all([...this.#pending.values()].map(({ kept }) => kept));
  }

  /** Returns what is stored, and the check in progress if there is none or it was undecided. */
  async #find(
    session: OpenSession,
    stored: StoredMessage,
  ): Promise<{ kept?: Authentication; running?: Promise<Authentication | undefined> }> {
    const { now } = this.#options;
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

  /** Returns what is stored, or is about to be. */
  async #findKnown(session: OpenSession, stored: StoredMessage): Promise<Authentication | undefined> {
    const kept = await this.#findKept(session, stored);
    if (kept) return kept.authentication;
    const pending = this.#pending.get(toName(session, stored));
    return pending && Promise.race([pending.result, Promise.resolve(undefined)]);
  }

  async #findKept(session: OpenSession, stored: StoredMessage): Promise<KeptAuthentication | undefined> {
    const sealed = await this.#options.mail.findAuthentication(session.key, stored.id);
    if (!sealed) return undefined;
    const opened = session.reading.open('authentication', sealed).toString();
    const kept = JSON.parse(opened) as KeptAuthentication;
    return kept.rules === rules ? kept : undefined;
  }

  #start(
    session: OpenSession,
    stored: StoredMessage,
    attempts: number,
  ): Promise<Authentication | undefined> | undefined {
    const id = toName(session, stored);
    const pending = this.#pending.get(id);
    if (pending || this.#isClosed) return pending?.result;
    const made = this.#run(stored.sizeBytes, turnOwner(session), () => this.#make(session, stored)).catch(
      (error: unknown) => this.#note(error),
    );
    const result = made.then((check) => check?.authentication);
    const kept = made
      .then((check) => check && this.#keep(session, stored, { ...check, attempts }))
      .catch((error: unknown) => this.#note(error))
      .finally(() => this.#pending.delete(id));
    this.#pending.set(id, { result, kept });
    return result;
  }

  #run<T>(sizeBytes: number, owner: TurnOwner, task: () => Promise<T>): Promise<T> {
    return (sizeBytes <= smallMaxBytes ? this.#small : this.#large).run(owner, task);
  }

  /** A full queue is not an error. */
  #note(error: unknown): undefined {
    if (!(error instanceof MayflyError)) this.#options.onError(error);
  }

  /** Resolves with undefined if the message has been deleted meanwhile. */
  async #make(session: OpenSession, stored: StoredMessage): Promise<MadeCheck | undefined> {
    const { mail } = this.#options;
    if (this.#isClosed || !(await mail.findMessage(session.key, stored.id))) return undefined;
    const raw = await readWholeRaw(mail, session, stored);
    const made = await this.#authenticate(raw, openMeta(session, stored));
    const authentication = made ?? unfinishedAuthentication('the check did not come to an end');
    return { authentication, isComplete: made !== undefined };
  }

  async #keep(
    session: OpenSession,
    stored: StoredMessage,
    { authentication, isComplete, attempts }: MadeCheck & { readonly attempts: number },
  ): Promise<void> {
    const { mail, now } = this.#options;
    if (this.#isClosed) return;
    // A check that was not made for lack of time does not count towards the limit.
    const counted = isComplete ? attempts : attempts - 1;
    const kept = { authentication, checkedAt: now(), attempts: counted, rules };
    const text = JSON.stringify(kept satisfies KeptAuthentication);
    const sealed = sealer.seal(session, 'authentication', Buffer.from(text));
    await mail.keepAuthentication(session.key, stored.id, sealed);
  }

  #authenticate(
    raw: Uint8Array,
    { envelope, source }: Pick<MessageMeta, 'envelope' | 'source'>,
  ): Promise<Authentication | undefined> {
    const { remoteAddress, helo, spf } = source;
    return this.#options.authenticator.authenticate({
      ...judgeHeader(raw),
      ...(spf ? { spf } : {}),
      remoteAddress,
      helo,
      mailFrom: envelope.mailFrom,
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

type JudgedMessage = Pick<AuthenticationRequest, 'raw' | 'fromDomain' | 'fromDoubt' | 'isReadTwoWays'>;

/**
 * Extracts from a header what authentication needs: the bytes where readers begin, and the domain of the address they
 * are shown. Where the parser for people and the one for signatures disagree, no domain is vouched for.
 */
export function judgeHeader(raw: Uint8Array): JudgedMessage {
  const from = readFromField(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  // After the separator line of a mailbox file and a byte order mark.
  const message = raw.subarray(from.start);
  const { bodyStart } = checkHeader(message);
  const isPublic = from.domain !== null && toAsciiDomain(from.domain) !== undefined;
  const isReadTwoWays = from.isOdd || (bodyStart >= 0 && from.start + bodyStart !== from.bodyStart);
  return {
    raw: message,
    fromDomain: isReadTwoWays || !isPublic ? null : from.domain,
    ...(from.doubt === null ? {} : { fromDoubt: from.doubt }),
    ...(isReadTwoWays ? { isReadTwoWays } : {}),
  };
}
