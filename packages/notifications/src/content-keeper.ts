// Writes the contents of webhooks to their rows, several in one commit, within a bound of bytes for all that are
// stored.

import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '../../telemetry/src/logger.ts';

/** For all contents in the store; events beyond it are sent at once or without content. */
const storedBytesMax = 256 * 1024 * 1024;
const measuredEveryMs = 10_000;
const atOnce = 256;
/** Rows come to some stores a moment after the commit of their event. */
const tries = { max: 6, everyMs: 500 } as const;

/** Kept with a row. */
export interface RowContent {
  readonly content: Uint8Array;
}

/** The rows. */
export interface ContentStore<C extends RowContent> {
  /** Resolves with those whose rows are not there, or not yet. */
  keepContents(contents: readonly C[]): Promise<C[]>;
  /** Returns the bytes of all contents. */
  countContentBytes(): Promise<number>;
}

interface Waiting<C> {
  readonly contents: readonly C[];
  readonly done: () => void;
}

export class ContentKeeper<C extends RowContent> {
  readonly #store: ContentStore<C>;
  readonly #log: Logger;
  readonly #waiting: Waiting<C>[] = [];
  #working: Promise<void> | undefined;
  readonly #later = new Set<Promise<void>>();
  #storedBytes = 0;
  #measuredAt = -Infinity;

  constructor(store: ContentStore<C>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Resolves when they are durable, or were given up. Never rejects. */
  keep(contents: readonly C[]): Promise<void> {
    if (contents.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ contents, done: resolve });
      this.#working ??= this.#work();
    });
  }

  async close(): Promise<void> {
    await this.#working;
    await Promise.all(this.#later);
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, atOnce);
      await this.#write(batch.flatMap(({ contents }) => contents)).catch((error: unknown) => {
        this.#log.error('webhook.content_not_kept', { error });
      });
      for (const { done } of batch) done();
    }
    this.#working = undefined;
  }

  async #write(contents: readonly C[]): Promise<void> {
    const missing = await this.#store.keepContents(await this.#fitting(contents));
    if (missing.length === 0) return;
    const later: Promise<void> = this.#writeLater(missing).finally(() => this.#later.delete(later));
    this.#later.add(later);
  }

  /** A row that is still not there has been finished, or its queue was full. */
  async #writeLater(contents: readonly C[]): Promise<void> {
    let missing = contents;
    try {
      for (let count = 1; count < tries.max && missing.length > 0; count++) {
        await delay(tries.everyMs);
        missing = await this.#store.keepContents(missing);
      }
    } catch (error) {
      this.#log.error('webhook.content_not_kept', { error });
    }
  }

  async #fitting(contents: readonly C[]): Promise<readonly C[]> {
    const now = performance.now();
    if (now - this.#measuredAt > measuredEveryMs) {
      this.#measuredAt = now;
      this.#storedBytes = await this.#store.countContentBytes();
    }
    const fitting = contents.filter(({ content }) => {
      if (this.#storedBytes + content.length > storedBytesMax) return false;
      this.#storedBytes += content.length;
      return true;
    });
    if (fitting.length < contents.length) {
      this.#log.warn('webhook.content_full', { events: contents.length - fitting.length });
    }
    return fitting;
  }
}
