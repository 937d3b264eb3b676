// Makes the glances of new messages from their first bytes, which are still in hand, while the service has little else
// to do, so that the first list after a quiet night, or after a restart, need not wait for them. While it is busy none
// is made early, since most messages are never read and receiving takes precedence. Reads nothing from the store. Made
// by create-readers.

import { isSessionGone } from '../../domain/gone.ts';
import { headBytes } from '../../domain/limits.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { RawMessage } from '../../domain/message.ts';
import type { SessionKey } from '../../domain/session.ts';
import type { MailStore } from '../../store/mail-store.ts';
import type { HeadsInHand, HeldHead } from './heads-in-hand.ts';
import type { MessageGlances } from './message-glances.ts';

/**
 * The interval at which load is judged, by the number that arrived. Of what arrives in one, no more than this
 * many first bytes are held, and none after an interval with a flood: to hold that would cost as many copies and
 * collections as to receive it.
 */
const interval = { ms: 100, messagesMax: 20, heldBytesMax: 1024 * 1024, flood: 250 } as const;
/** Glances made at once. */
const atOnce = 16;
/** Cheap messages are processed back to back; after a costly one, there is a pause of several times its duration. */
const costly = { ms: 20, pauses: 3 } as const;
/** How long a stop may take to make what waits. */
const lastOnesMs = 2000;

export interface EarlyGlances {
  /** Call for each stored message. Cheap, and never throws. */
  note(key: SessionKey, id: number, raw: Pick<RawMessage, 'head' | 'sizeBytes'>): void;
  /** Makes those that wait if they are few; resolves when none is in progress and no further one is made. */
  close(): Promise<void>;
}

export interface EarlyGlancesOptions {
  readonly mail: Pick<MailStore, 'findSessionByKey'>;
  readonly glances: Pick<MessageGlances, 'ahead'>;
  readonly heads: HeadsInHand;
  /** Called when a glance could not be made; the first reader makes it again. */
  readonly onError: (error: unknown) => void;
}

export function createEarlyGlances(options: EarlyGlancesOptions): EarlyGlances {
  return new Early(options);
}

class Early implements EarlyGlances {
  readonly #options: EarlyGlancesOptions;
  /** Since the load was last judged, like the bytes. */
  #arrived = 0;
  #heldBytes = 0;
  #isFlooded = false;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: EarlyGlancesOptions) {
    this.#options = options;
  }

  note(key: SessionKey, id: number, raw: Pick<RawMessage, 'head' | 'sizeBytes'>): void {
    if (this.#isClosed) return;
    this.#arrived += 1;
    if (!this.#isFlooded && this.#heldBytes < interval.heldBytesMax) {
      this.#heldBytes += Math.min(raw.sizeBytes, headBytes);
      this.#options.heads.hold(key, id, raw);
    }
    this.#schedule(interval.ms);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#working;
    const until = performance.now() + lastOnesMs;
    while (this.#options.heads.size > 0 && performance.now() < until) await this.#makeSome();
    this.#options.heads.clear();
  }

  #schedule(ms: number): void {
    if (this.#timer || this.#working || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#working = this.#makeAll().then((pauseMs) => {
        this.#working = undefined;
        this.#options.heads.dropOld();
        if (this.#options.heads.size > 0) this.#schedule(pauseMs);
      });
    }, ms);
    this.#timer.unref();
  }

  /** Judges the interval that has passed. Resolves with the ms to wait before it goes on; never rejects. */
  async #makeAll(): Promise<number> {
    const isBusy = this.#arrived > interval.messagesMax;
    this.#isFlooded = this.#arrived > interval.flood;
    this.#arrived = 0;
    this.#heldBytes = 0;
    if (isBusy) return interval.ms;
    while (this.#options.heads.size > 0 && this.#arrived <= interval.messagesMax && !this.#isClosed) {
      const startedAt = performance.now();
      const count = await this.#makeSome();
      const tookMs = performance.now() - startedAt;
      if (tookMs > costly.ms * count) return Math.max(interval.ms, costly.pauses * tookMs);
    }
    return interval.ms;
  }

  async #makeSome(): Promise<number> {
    const some = this.#options.heads.takeNewest(atOnce);
    await Promise.all(some.map((held) => this.#make(held)));
    return some.length;
  }

  async #make(held: HeldHead): Promise<void> {
    const { mail, glances, onError } = this.#options;
    try {
      const found = await mail.findSessionByKey(held.key);
      if (found.state === 'live') await glances.ahead(found.session, held);
    } catch (error) {
      // Readers occupy all places at the parser, or the session has ended.
      const isHarmless =
        isSessionGone(error) || (error instanceof MayflyError && error.code === 'unavailable');
      if (!isHarmless) onError(error);
    }
  }
}
