// Follows sessions of a fake service with scripted answers, and records the follower's calls.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { MessageList } from '../api/answers.ts';
import { ApiError } from '../api/api-error.ts';
import { type ConnectionState, followSession } from './follow-session.ts';

const empty: MessageList = {
  email: 'a@b.test',
  expires_at: '2026-03-01 12:00:00',
  expires_in: 60,
  messages: [],
};

class Stream {
  readonly after: number;
  readonly signal: AbortSignal;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;

  constructor(after: number, signal: AbortSignal, controller: ReadableStreamDefaultController<Uint8Array>) {
    this.after = after;
    this.signal = signal;
    this.#controller = controller;
    signal.addEventListener('abort', () => {
      controller.error(new DOMException('aborted', 'AbortError'));
    });
  }

  say(text: string): void {
    this.#controller.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#controller.close();
  }
}

function follow(play: { isHeldBack?: boolean; hasSlot?: boolean } = {}) {
  const streams: Stream[] = [];
  const states: ConnectionState[] = [];
  const events: string[] = [];
  const lists: { after: number; wait: number }[] = [];
  const service: { failure: Error | null; position: number | null } = { failure: null, position: null };
  let overs = 0;
  const follower = followSession({
    openEvents: (after, signal) => {
      if (service.failure) return Promise.reject(service.failure);
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (controller) => {
          streams.push(new Stream(after, signal, controller));
        },
      });
      if (!play.isHeldBack) return Promise.resolve(new Response(body));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    },
    listMessages: ({ after, wait, signal }) => {
      lists.push({ after, wait });
      if (service.failure) return Promise.reject(service.failure);
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
        setTimeout(() => {
          resolve(empty);
        }, wait * 1000);
      });
    },
    position: () => service.position,
    onList: (_list, position) => {
      service.position = position ?? 0;
    },
    onNews: () => undefined,
    onEvent: ({ kind, id }) => {
      events.push(`${kind} ${id}`);
      service.position = Number(id);
    },
    onState: (state) => {
      if (states.at(-1) !== state) states.push(state);
    },
    onOver: () => (overs += 1),
    onFault: (error) => {
      throw error as Error;
    },
    takeSlot: () => Promise.resolve(play.hasSlot === false ? null : () => undefined),
  });
  return { follower, streams, states, events, lists, service, overs: () => overs };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe('following a session', () => {
  it('lists, then listens from there, and resumes after the last event', async () => {
    const { follower, streams, states, events, service } = follow();
    await settle();
    expect(streams[0]?.after).toBe(0);
    streams[0]?.say('retry: 2000\nid: 0\n\n');
    streams[0]?.say('id: 7\nevent: message.received\ndata: {}\n\n');
    await settle();
    expect(events).toEqual(['message.received 7']);
    expect(service.position).toBe(7);
    streams[0]?.end();
    await settle(1999);
    expect(streams).toHaveLength(1);
    await settle(1);
    expect(streams[1]?.after).toBe(7);
    streams[1]?.say(':\n\n');
    await settle();
    expect(states).toEqual(['connecting', 'live', 'waiting', 'live']);
    follower.close();
  });

  it('lists again after a reset and goes on from the place it names', async () => {
    const { follower, streams, lists, events, service } = follow();
    await settle();
    streams[0]?.say('id: 40\nevent: reset\ndata: {"after":40}\n\n');
    await settle();
    expect(lists).toHaveLength(2);
    expect(service.position).toBe(40);
    expect(streams[1]?.after).toBe(40);
    expect(events).toEqual([]);
    follower.close();
  });

  it('tries on for ever while the service is away, and at once when nudged', async () => {
    const { follower, streams, states, service } = follow();
    service.failure = new ApiError('network');
    await settle(120_000);
    expect(states).toEqual(['connecting', 'waiting']);
    service.failure = null;
    follower.nudge();
    await settle();
    expect(streams).toHaveLength(1);
    follower.close();
  });

  it('asks by long poll where the stream is held back, and tries it again after a minute', async () => {
    const { follower, streams, states, lists } = follow({ isHeldBack: true });
    await settle(5_000);
    expect(states.at(-1)).toBe('polling');
    expect(lists.at(-1)).toEqual({ after: 0, wait: 25 });
    const tries = streams.length;
    await settle(50_000);
    expect(streams).toHaveLength(tries);
    await settle(60_000);
    expect(streams.length).toBeGreaterThan(tries);
    follower.close();
  });

  it('asks now and then when other windows hold the connections', async () => {
    const { follower, streams, lists } = follow({ hasSlot: false });
    await settle(20_000);
    expect(streams).toHaveLength(0);
    expect(lists.length).toBeGreaterThan(4);
    expect(lists.every(({ wait }) => wait === 0)).toBe(true);
    follower.close();
  });

  it('opens a stream anew that has gone silent', async () => {
    const { follower, streams, states } = follow();
    await settle();
    streams[0]?.say(':\n\n');
    await settle(31_000);
    expect(streams).toHaveLength(1);
    await settle(3_000);
    expect(states).toContain('waiting');
    expect(streams).toHaveLength(2);
    follower.close();
  });

  it('ends with the session, however it learns of the end', async () => {
    const followed = follow();
    await settle();
    followed.streams[0]?.say('id: 9\nevent: session.expired\ndata: {}\n\n');
    followed.streams[0]?.end();
    await settle(60_000);
    expect([followed.overs(), followed.states.at(-1), followed.streams.length]).toEqual([1, 'over', 1]);
    const refused = follow();
    refused.service.failure = new ApiError('session_expired');
    await settle(60_000);
    expect([refused.overs(), refused.states.at(-1)]).toEqual([1, 'over']);
  });

  it('does nothing more once it is closed', async () => {
    const { follower, streams, lists } = follow();
    await settle();
    follower.close();
    await settle(120_000);
    expect(streams).toHaveLength(1);
    expect(lists).toHaveLength(1);
  });
});
