// Makes the glances of new messages while little mail arrives, so that the first list after a quiet night, or after a
// restart, need not wait for them. Under load none is made early, since most messages are never read and receiving
// takes precedence. Made by create-readers.

import { isSessionGone } from '../../domain/gone.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { SessionKey } from '../../domain/session.ts';
import type { MailStore } from '../../store/mail-store.ts';
import type { MessageGlances } from './message-glances.ts';

/** The interval at which arrivals are counted, and the number above which there is load. */
const interval = { ms: 100, messagesMax: 20 } as const;
/** The most messages that wait; beyond that the oldest are dropped. */
const waitingMax = 1024;
/** Cheap messages are processed back to back; after a costly one, there is a pause of several times its duration. */
const costly = { ms: 20, pauses: 3 } as const;

export interface EarlyGlances {
  /** Call for each stored message. Cheap, and never throws. */
  note(key: SessionKey, id: number): void;
  /** Resolves when none is in progress; no further one is made. */
  close(): Promise<void>;
}

export interface EarlyGlancesOptions {
  readonly mail: Pick<MailStore, 'findSessionByKey' | 'findMessage'>;
  readonly glances: Pick<MessageGlances, 'glance'>;
  /** Called when a glance could not be made; the first reader makes it again. */
  readonly onError: (error: unknown) => void;
}

interface Noted {
  readonly key: SessionKey;
  readonly id: number;
}

export function createEarlyGlances(options: EarlyGlancesOptions): EarlyGlances {
  return new Early(options);
}

class Early implements EarlyGlances {
  readonly #options: EarlyGlancesOptions;
  /** Keys instead of sessions, so that sessions that end meanwhile leave no secret here. */
  #waiting: Noted[] = [];
  #arrived = 0;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: EarlyGlancesOptions) {
    this.#options = options;
  }

  note(key: SessionKey, id: number): void {
    if (this.#isClosed) return;
    this.#arrived += 1;
    // Dropped in halves: one at a time would move all the others.
    if (this.#waiting.length >= waitingMax) this.#waiting = this.#waiting.slice(waitingMax / 2);
    this.#waiting.push({ key, id });
    this.#schedule(interval.ms);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    await this.#working;
  }

  #schedule(ms: number): void {
    if (this.#timer || this.#working || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#working = this.#makeAll().then((pauseMs) => {
        this.#working = undefined;
        if (this.#waiting.length > 0) this.#schedule(pauseMs);
      });
    }, ms);
    this.#timer.unref();
  }

  /** Resolves with the ms to wait before it goes on; never rejects. */
  async #makeAll(): Promise<number> {
    if (this.#arrived > interval.messagesMax) {
      this.#arrived = 0;
      return interval.ms;
    }
    this.#arrived = 0;
    while (this.#arrived <= interval.messagesMax) {
      // The newest first, because it is likely to be read first.
      const next = this.#waiting.pop();
      if (!next) break;
      const startedAt = performance.now();
      await this.#make(next);
      const tookMs = performance.now() - startedAt;
      if (tookMs > costly.ms) return Math.max(interval.ms, costly.pauses * tookMs);
    }
    return interval.ms;
  }

  async #make({ key, id }: Noted): Promise<void> {
    const { mail, glances, onError } = this.#options;
    try {
      const found = await mail.findSessionByKey(key);
      const stored = found.state === 'live' ? await mail.findMessage(key, id) : undefined;
      if (found.state === 'live' && stored && !stored.glance) await glances.glance(found.session, stored);
    } catch (error) {
      // Readers occupy all places at the parser, or the session has ended.
      const isHarmless =
        isSessionGone(error) || (error instanceof MayflyError && error.code === 'unavailable');
      if (!isHarmless) onError(error);
    }
  }
}
