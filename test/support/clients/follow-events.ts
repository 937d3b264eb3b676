// A client of one session's events that resumes at another node when its stream breaks, with Last-Event-ID, as a
// browser does. Records the events, and the duration of each break.

import { setTimeout as delay } from 'node:timers/promises';

import { type EventSourceClient, openStream, type StreamedEvent } from './event-source.ts';
import type { Lent } from '../service/mayfly-process.ts';

const pauseMs = 50;

export class EventFollower {
  readonly events: StreamedEvent[] = [];
  /** From a stream's end to the next one's start, ms. */
  readonly breaks: number[] = [];
  readonly #lent: Lent;
  readonly #nextPort: () => number;
  readonly #running: Promise<void>;
  #stream: EventSourceClient | undefined;
  #isOver = false;

  /** @param nextPort returns the port for each attempt */
  constructor(lent: Lent, nextPort: () => number) {
    this.#lent = lent;
    this.#nextPort = nextPort;
    this.#running = this.#run();
  }

  get ids(): number[] {
    return this.events.map(({ id }) => Number(id));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#stream?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    let brokenAt: number | undefined;
    while (!this.#isOver) {
      const stream = await this.#open();
      if (stream) {
        if (brokenAt !== undefined) this.breaks.push(Math.round(performance.now() - brokenAt));
        await this.#read(stream);
        brokenAt = performance.now();
      } else {
        await delay(pauseMs);
      }
    }
  }

  /** Returns undefined when the stream is currently unavailable. */
  async #open(): Promise<EventSourceClient | undefined> {
    const lastEventId = this.events.at(-1)?.id;
    const ask = { token: this.#lent.token, query: 'after=0' };
    const [opened] = await Promise.allSettled([
      openStream({ port: this.#nextPort() }, lastEventId === undefined ? ask : { ...ask, lastEventId }),
    ]);
    // Rejected: the node is gone, and the next attempt goes to another.
    const stream = opened.status === 'fulfilled' ? opened.value : undefined;
    if (stream?.response.statusCode === 200) return stream;
    stream?.close();
    return undefined;
  }

  async #read(stream: EventSourceClient): Promise<void> {
    this.#stream = stream;
    let taken = 0;
    const hasMore = (): boolean => stream.isOver || stream.events.length > taken;
    while (!stream.isOver && !this.#isOver) {
      // Rejects when the stream ends, which the loop notices.
      await Promise.allSettled([stream.until(hasMore)]);
      this.events.push(...stream.events.slice(taken));
      taken = stream.events.length;
    }
    stream.close();
  }
}

/** Reports whether every event arrived, once and in order. */
export function isComplete({ ids }: EventFollower, expected: number): boolean {
  return ids.length === expected && ids.every((id, at) => id === at + 1);
}
