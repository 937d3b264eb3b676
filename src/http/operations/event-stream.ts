// One open event stream: waits for news of its session, reads the log after its position and writes the new entries.
// Reads only as fast as its client, and drops a client that reads nothing; either way the client can resume. There may
// be ten thousand, so each holds little: a position, a response, and what opens the session.

import type { ServerResponse } from 'node:http';

import { type LiveBody, stringifyWellFormed } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { formatTimestamp, secondsLeft } from '#values/timestamp';
import type { LogEntry } from '../../service/search/read-log.ts';
import type { Matcher } from '../../service/search/message-filter.ts';
import type { Services } from '../../service/services.ts';
import type { OpenSession } from '../../service/session/session-access.ts';
import { toMessageSummary } from '../views/message-summary.ts';

export interface EventStreamOptions {
  readonly services: Pick<Services, 'readLog' | 'isAtLogEnd' | 'enterLive'>;
  readonly session: OpenSession;
  /** The last position that the client has; NaN when unknown. */
  readonly position: number;
  /** The network that it counts against. */
  readonly network?: string;
  /** Omits other messages that arrive. */
  readonly matcher?: Matcher | undefined;
  /**
   * For a reader through a share: rejects with MayflyError once it may read no more, which ends the stream. Asked before
   * anything is sent, and at each heartbeat.
   */
  readonly confirmGuest?: (() => Promise<void>) | undefined;
  /** Called with a message's age when its event was written, for messages that arrived while the stream was open. */
  readonly onEvent?: (seconds: number) => void;
  /** Formats the entries; as our own events when absent. */
  readonly format?: (entries: readonly LogEntry[]) => Promise<string>;
  /** Called for an error of our own, after which the stream is cut off. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Intermediaries must not delay, cache or transform the stream; nginx needs the first. Last-Event-ID, as of Mercure's
 * hub, is where to resume if the stream breaks before its first event. It cannot be sent in the stream: many readers
 * take a block without data for an event.
 */
export function eventStreamHeaders(position: number): Record<string, string> {
  return {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    'cache-control': 'no-store, no-transform',
    ...(Number.isNaN(position) ? {} : { 'last-event-id': String(position) }),
  };
}

/** Parses a Last-Event-ID. Undefined if there is none; NaN, which no log has, if it is not one of our ids. */
export function parseEventId(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}

const heartbeatMs = 25_000;
/** Entries read at once, which bounds the memory for a slow client to about 100 KB. */
const pageEntries = 16;
/** How long a client may leave data unread before it is cut off. */
const stalledMs = 15_000;
const retryMs = 2000;
/** At a shutdown all clients reconnect, spread over this time. */
const comeBackMs = { min: 1000, max: 5000 };

export function createEventStream(options: EventStreamOptions): LiveBody {
  return {
    open: () => {
      const stream = new EventStream(options);
      return (response) => {
        stream.start(response);
      };
    },
  };
}

class EventStream {
  readonly network: string | undefined;
  readonly isGuest: boolean;
  readonly #options: EventStreamOptions;
  readonly #leave: () => void;
  #position: number;
  #response: ServerResponse | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #openedAt = Infinity;
  #isReading = false;
  #isWoken = false;

  /** @throws MayflyError too_many_streams, unavailable */
  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#position = options.position;
    this.network = options.network;
    this.isGuest = options.confirmGuest !== undefined;
    this.#leave = options.services.enterLive('stream', options.session.key, this);
  }

  start(response: ServerResponse): void {
    if (response.destroyed) {
      this.#leave();
      return;
    }
    this.#response = response;
    this.#openedAt = Date.now();
    response.once('close', () => {
      this.#stop();
    });
    // These lines have no empty line after them, which would end a block without data.
    response.write(`retry: ${retryMs}\n`);
    this.#heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(':\n');
      this.#options.confirmGuest?.().catch((error: unknown) => {
        this.#fail(error);
      });
    }, heartbeatMs);
    this.onWake();
  }

  onWake(): void {
    const { services, session } = this.#options;
    // Nearly always true without news, and ten thousand streams check every two seconds.
    if (services.isAtLogEnd(session.key, this.#position)) return;
    this.#isWoken = true;
    if (this.#isReading || !this.#response) return;
    this.#isReading = true;
    this.#readOn(this.#response).then(
      () => {
        this.#isReading = false;
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
  }

  /**
   * A guest whose share has ended learns why when it comes back. So does a client whose filter took too long to apply:
   * the work goes on where it was. One that has left hears nothing.
   */
  #fail(error: unknown): void {
    if (error instanceof MayflyError && (this.isGuest || error.code === 'unavailable')) {
      this.#response?.end();
      this.#stop();
      return;
    }
    this.#options.onFault(error);
    this.#response?.destroy();
  }

  /** Sends the client the time after which to reconnect, as the service stops. */
  onClose(): void {
    const { min, max } = comeBackMs;
    this.#response?.end(`retry: ${Math.round(min + Math.random() * (max - min))}\n`);
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#heartbeat);
    this.#response = undefined;
    this.#leave();
  }

  async #readOn(response: ServerResponse): Promise<void> {
    const { services, session, format = formatEntries } = this.#options;
    while (this.#isWoken && this.#response) {
      this.#isWoken = false;
      const { matcher } = this.#options;
      const page = await services.readLog(session, { after: this.#position, limit: pageEntries, matcher });
      await this.#options.confirmGuest?.();
      if (!this.#isOpen()) return;
      this.#position = page.position;
      if (page.entries.length > 0) {
        const text = await format(page.entries);
        if (!this.#isOpen()) return;
        response.write(text);
      }
      this.#recordAges(page.entries);
      if (page.isEnded) {
        response.end();
        this.#stop();
        return;
      }
      this.#isWoken ||= page.hasMore;
      if (response.writableNeedDrain) await this.#drained(response);
    }
  }

  #recordAges(entries: readonly LogEntry[]): void {
    const { onEvent } = this.#options;
    if (!onEvent) return;
    const now = Date.now();
    for (const entry of entries) {
      if (entry.kind !== 'message.received' || entry.message.receivedAt < this.#openedAt) continue;
      onEvent(Math.max(0, now - entry.message.receivedAt) / 1000);
    }
  }

  #isOpen(): boolean {
    return this.#response !== undefined;
  }

  #drained(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => response.destroy(), stalledMs);
      const done = (): void => {
        clearTimeout(timer);
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
  }
}

async function formatEntries(entries: readonly LogEntry[]): Promise<string> {
  return Promise.resolve(entries.map(formatEntry).join(''));
}

function formatEntry(entry: LogEntry): string {
  return `id: ${entry.seq}\nevent: ${entry.kind}\ndata: ${stringifyWellFormed(toData(entry))}\n\n`;
}

function toData(entry: LogEntry): object {
  switch (entry.kind) {
    case 'message.received':
      return toMessageSummary(entry.message);
    case 'message.deleted':
    case 'message.dropped':
    case 'message.read':
    case 'message.unread':
      return { id: entry.messageId };
    case 'session.extended':
      return {
        expires_at: formatTimestamp(entry.expiresAt),
        expires_in: secondsLeft(entry.expiresAt, entry.now),
      };
    case 'session.renamed':
      return { email: entry.email };
    case 'session.expired':
      return { expired_at: formatTimestamp(entry.at) };
    case 'reset':
      return { after: entry.seq };
  }
}
