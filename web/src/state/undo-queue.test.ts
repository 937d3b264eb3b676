import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createUndoQueue } from './undo-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createQueue() {
  const done: string[] = [];
  const queue = createUndoQueue<string>({ delayMs: 5000, commit: (item) => done.push(item) });
  return { queue, done };
}

describe('the undo queue', () => {
  it('does each deed after its own delay', () => {
    const { queue, done } = createQueue();
    queue.add('a');
    vi.advanceTimersByTime(3000);
    queue.add('b');
    vi.advanceTimersByTime(2000);
    expect(done).toEqual(['a']);
    vi.advanceTimersByTime(3000);
    expect(done).toEqual(['a', 'b']);
  });

  it('takes back the one named, else the newest, and never does it', () => {
    const { queue, done } = createQueue();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    expect(queue.undo('a')).toBe('a');
    expect(queue.undo()).toBe('c');
    vi.advanceTimersByTime(9000);
    expect(done).toEqual(['b']);
    expect(queue.undo()).toBeUndefined();
    expect(queue.undo('b')).toBeUndefined();
  });

  it('does everything now when it is flushed, and nothing twice', () => {
    const { queue, done } = createQueue();
    queue.add('a');
    queue.add('b');
    queue.flush();
    vi.advanceTimersByTime(9000);
    expect(done).toEqual(['a', 'b']);
  });

  it('waits while it is held', () => {
    const { queue, done } = createQueue();
    queue.add('a');
    vi.advanceTimersByTime(4900);
    queue.hold();
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual([]);
    queue.release();
    vi.advanceTimersByTime(1999);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(['a']);
  });
});
