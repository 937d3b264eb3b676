// Keeps one mailbox in step with the service: lists it, then follows its event stream from the last event received, or
// polls where the stream does not get through. Retries until the session ends or is closed. Called by
// app/live-links.ts. Independent of views; its callbacks are arguments, so that tests need no network.
import type { MessageList } from '../api/answers.ts';
import { ApiError, isSessionOver } from '../api/api-error.ts';
import { backoffMs } from './backoff.ts';
import { createNap } from './nap.ts';
import { readEventStream, type ServerEvent, StreamHeldBackError } from './read-event-stream.ts';

export type ConnectionState = 'connecting' | 'live' | 'polling' | 'waiting' | 'over';

export interface FollowOptions {
  openEvents(after: number, signal: AbortSignal): Promise<Response>;
  /** Lists all messages after `after`, waiting up to `wait` seconds for one. */
  listMessages(options: { after: number; wait: number; signal: AbortSignal }): Promise<MessageList>;
  /** The place in the session's log up to which the mailbox is current; null before its first list. */
  position(): number | null;
  /** Receives the whole list, current up to `position` or else to its newest message. */
  onList(list: MessageList, position?: number): void;
  /** Receives the messages after the position, and the expiry. */
  onNews(list: MessageList): void;
  onEvent(event: ServerEvent): void;
  onState(state: ConnectionState): void;
  onOver(): void;
  /** Receives a fault of this app, as opposed to one of the service or the network. */
  onFault(error: unknown): void;
  /** Requests a connection to keep open; null when other windows hold as many as a browser allows. */
  takeSlot(signal: AbortSignal): Promise<(() => void) | null>;
}

export interface Follower {
  /** Tries at once, because the page is visible again or the network is back. */
  nudge(): void;
  close(): void;
}

const greetingMs = 5_000;
/** The service sends something every 25 seconds; after this long, the stream is dead. */
const silenceMs = 32_000;
/** How long an answer may take in addition to the requested wait. */
const answerMs = 20_000;
/**
 * A stream silent for this long when the page becomes visible is likely dead: phones drop connections without notice.
 */
const doubtfulMs = 28_000;
const longPollSeconds = 25;
const shortPollMs = 4_000;
/** How long to poll before trying the stream again. */
const pollingMs = 60_000;

export function followSession(options: FollowOptions): Follower {
  const follower = new SessionFollower(options);
  void follower.run();
  return follower;
}

class SessionFollower implements Follower {
  readonly #options: FollowOptions;
  readonly #closing = new AbortController();
  readonly #nap = createNap();
  #stream: AbortController | undefined;
  #signAt = 0;
  #failures = 0;
  #pollUntil = 0;
  /** The place given by the service's last `reset`. */
  #resetTo: number | undefined;
  #isOver = false;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  nudge(): void {
    this.#failures = 0;
    this.#nap.wake();
    if (this.#stream && Date.now() - this.#signAt > doubtfulMs) this.#stream.abort();
  }

  close(): void {
    this.#closing.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#closing;
    this.#options.onState('connecting');
    while (!signal.aborted && !this.#isOver) {
      const restMs = await this.#tryOnce(signal);
      if (restMs > 0) await this.#nap.sleep(restMs, signal);
    }
  }

  /** Returns milliseconds to wait before the next try. */
  async #tryOnce(signal: AbortSignal): Promise<number> {
    try {
      if (this.#resetTo !== undefined || this.#options.position() === null) await this.#list(signal);
      const release = await this.#options.takeSlot(signal);
      try {
        if (release && Date.now() >= this.#pollUntil) return await this.#listen(signal);
        return await this.#poll(release ? longPollSeconds : 0, signal);
      } finally {
        release?.();
      }
    } catch (error) {
      return this.#toRest(error);
    }
  }

  #toRest(error: unknown): number {
    if (this.#closing.signal.aborted) return 0;
    if (isSessionOver(error)) {
      this.#end();
      return 0;
    }
    if (
      error instanceof StreamHeldBackError ||
      // A share of one message has no stream.
      (error instanceof ApiError && ['too_many_streams', 'read_only'].includes(error.code))
    ) {
      this.#pollUntil = Date.now() + pollingMs;
      return 0;
    }
    // Names the errors expected of a network; others are reported, and retried all the same.
    const isNetwork =
      error instanceof ApiError || error instanceof TypeError || error instanceof DOMException;
    if (!isNetwork) this.#options.onFault(error);
    this.#options.onState('waiting');
    this.#failures += 1;
    const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    return Math.max(backoffMs(this.#failures, Math.random()), Math.min(asked, 60_000));
  }

  async #list(signal: AbortSignal): Promise<void> {
    const list = await this.#ask(0, { wait: 0, signal });
    this.#options.onList(list, this.#resetTo);
    this.#resetTo = undefined;
  }

  async #listen(closing: AbortSignal): Promise<number> {
    const stream = new AbortController();
    const signal = AbortSignal.any([closing, stream.signal]);
    // A proxy may hold back even the head of an answer.
    const greeting = setTimeout(() => {
      stream.abort(new StreamHeldBackError());
    }, greetingMs);
    this.#stream = stream;
    try {
      const response = await this.#options.openEvents(this.#options.position() ?? 0, signal);
      clearTimeout(greeting);
      if (!response.body) throw new StreamHeldBackError();
      const retryMs = await readEventStream(response.body, {
        greetingMs,
        silenceMs,
        onSign: () => {
          this.#signAt = Date.now();
          this.#failures = 0;
          this.#options.onState('live');
        },
        onEvent: (event) => {
          this.#take(event);
        },
      });
      if (!this.#isOver) this.#options.onState('waiting');
      return retryMs ?? 1000;
    } catch (error) {
      if (stream.signal.aborted && !(error instanceof StreamHeldBackError)) return 0;
      throw error;
    } finally {
      clearTimeout(greeting);
      this.#stream = undefined;
      stream.abort();
    }
  }

  #take(event: ServerEvent): void {
    if (event.kind === 'reset') {
      this.#resetTo = Number(event.id) || 0;
      this.#stream?.abort();
      return;
    }
    this.#options.onEvent(event);
    if (event.kind === 'session.expired') this.#end();
  }

  async #poll(wait: number, signal: AbortSignal): Promise<number> {
    this.#options.onState('polling');
    const list = await this.#ask(this.#options.position() ?? 0, { wait, signal });
    this.#failures = 0;
    this.#options.onNews(list);
    return wait > 0 ? 0 : shortPollMs;
  }

  /** Bounded in time, because a connection can die without notice. */
  #ask(after: number, { wait, signal }: { wait: number; signal: AbortSignal }): Promise<MessageList> {
    const deadline = AbortSignal.timeout(wait * 1000 + answerMs);
    return this.#options.listMessages({ after, wait, signal: AbortSignal.any([signal, deadline]) });
  }

  #end(): void {
    this.#isOver = true;
    this.#options.onState('over');
    this.#options.onOver();
  }
}
