// Notifies browsers of new mail while the page is closed. Kept in memory and without a guarantee, since the page shows
// any mail whose notification was lost in a restart. Called after each delivery, at the cost of one map entry.

import type { Logger } from '../../telemetry/src/logger.ts';
import type { PushSubscription } from './push-subscription.ts';
import { type PushOutcome, type PushSigner, sendPush } from './send-push.ts';

/** The holder of the browsers that are notified. */
export interface PushReader {
  readonly key: Uint8Array;
  /** Ms since 1970. */
  readonly expiresAt: number;
}

export interface PushSenderOptions<R extends PushReader> {
  readonly signer: PushSigner;
  readonly subscriptions: {
    list(reader: R): Promise<readonly PushSubscription[]>;
    drop(reader: R, id: string): Promise<boolean>;
  };
  readonly log: Logger;
  /** Receives the outcome of each try. */
  readonly onTry: (outcome: PushOutcome['outcome']) => void;
  /** How long a session is paused after a notification. */
  readonly restMs?: number;
  readonly retryMs?: readonly number[];
}

export interface PushSender<R extends PushReader> {
  /** Notes a new message of the session. Cheap; never waits and never throws. */
  note(reader: R, messageId: number): void;
  /** The sessions whose notification is not sent yet. */
  waiting(): number;
  /** Accepts no more; resolves when messages in flight are done. */
  close(): Promise<void>;
}

interface Job<R> {
  readonly reader: R;
  readonly messageId: number;
  readonly tries: number;
  /** The subscriptions left to notify; undefined for all. */
  readonly only?: ReadonlySet<string>;
}

const atOnce = 8;
const waitingMax = 10_000;
/** The shortest interval between notifications of a browser, however many messages arrive. */
const usualRestMs = 5_000;
const usualRetryMs = [5_000, 60_000];
const longestRetryMs = 300_000;
const daySeconds = 86_400;

export function createPushSender<R extends PushReader>(options: PushSenderOptions<R>): PushSender<R> {
  const queue = new PushQueue(options);
  return {
    note: (reader, messageId) => {
      queue.add({ reader, messageId, tries: 0 });
    },
    waiting: () => queue.waiting,
    close: () => queue.close(),
  };
}

class PushQueue<R extends PushReader> {
  readonly #options: PushSenderOptions<R>;
  /** By session; a later message replaces an earlier one. */
  readonly #ready = new Map<string, Job<R>>();
  /** The next jobs of sessions that are being notified or paused. */
  readonly #held = new Map<string, Job<R>>();
  readonly #resting = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: PushSenderOptions<R>) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#ready.size + this.#held.size;
  }

  add(job: Job<R>): void {
    if (this.#isClosed) return;
    const name = toText(job.reader.key);
    const jobs = this.#resting.has(name) ? this.#held : this.#ready;
    const waiting = jobs.get(name);
    // A notification of newer mail makes a retry unnecessary.
    if (waiting && waiting.messageId >= job.messageId && job.tries > 0) return;
    if (!waiting && this.waiting >= waitingMax) return;
    jobs.set(name, job);
    this.#pump();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#inFlight);
  }

  #pump(): void {
    while (!this.#isClosed && this.#inFlight.size < atOnce) {
      const [next] = this.#ready;
      if (!next) return;
      const [name, job] = next;
      this.#ready.delete(name);
      this.#resting.add(name);
      const task: Promise<void> = this.#sendAll(job)
        .catch((error: unknown) => {
          this.#options.log.error('push.broke_off', { error });
          return true;
        })
        .then((isSent) => {
          this.#inFlight.delete(task);
          this.#release(name, isSent);
          this.#pump();
        });
      this.#inFlight.add(task);
    }
  }

  /** Returns whether there was a browser to notify. */
  async #sendAll(job: Job<R>): Promise<boolean> {
    const { signer, subscriptions, log, onTry } = this.#options;
    const all = await subscriptions.list(job.reader);
    const wanted = all.filter(({ id }) => job.only?.has(id) ?? true);
    if (wanted.length === 0) return false;
    const left = Math.floor((job.reader.expiresAt - signer.now()) / 1000);
    const news = { messageId: job.messageId, ttlSeconds: Math.min(daySeconds, Math.max(60, left)) };
    const failed = new Map<string, number | undefined>();
    await Promise.all(
      wanted.map(async (subscription) => {
        const result = await sendPush(signer, subscription, news);
        onTry(result.outcome);
        if (result.outcome === 'gone') await subscriptions.drop(job.reader, subscription.id);
        if (result.outcome === 'failed') failed.set(subscription.id, result.retryAfterSeconds);
        if ('reason' in result) log.info('push.failed', { reason: result.reason, tries: job.tries + 1 });
      }),
    );
    if (failed.size > 0) this.#retry(job, failed);
    return true;
  }

  /** Releases the job that arrived meanwhile, at once if nothing was sent. */
  #release(name: string, isSent: boolean): void {
    const release = (): void => {
      this.#resting.delete(name);
      const held = this.#held.get(name);
      this.#held.delete(name);
      if (held) this.add(held);
    };
    if (isSent) this.#later(this.#options.restMs ?? usualRestMs, release);
    else release();
  }

  #retry(job: Job<R>, failed: ReadonlyMap<string, number | undefined>): void {
    const { retryMs = usualRetryMs } = this.#options;
    const delayMs = retryMs[job.tries];
    if (delayMs === undefined) return;
    const asked = Math.max(0, ...[...failed.values()].map((seconds = 0) => seconds * 1000));
    this.#later(Math.min(longestRetryMs, Math.max(delayMs, asked)), () => {
      this.add({ ...job, tries: job.tries + 1, only: new Set(failed.keys()) });
    });
  }

  #later(ms: number, action: () => void): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms).unref();
    this.#timers.add(timer);
  }
}

function toText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}
