import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createUndoQueue } from './undo-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createQueue() {
  const done: [string, boolean][] = [];
  const queue = createUndoQueue<string>({
    delayMs: 5000,
    commit: (item, isLast) => done.push([item, isLast]),
  });
  return { queue, done };
}

describe('the undo queue', () => {
  it('does each deed after its own delay', () => {
    const { queue, done } = createQueue();
    queue.add('a');
    vi.advanceTimersByTime(3000);
    queue.add('b');
    vi.advanceTimersByTime(2000);
    expect(done).toEqual([['a', false]]);
    vi.advanceTimersByTime(3000);
    expect(done).toEqual([
      ['a', false],
      ['b', false],
    ]);
  });

  it('takes back the one named, else the newest, and never does it', () => {
    const { queue, done } = createQueue();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    expect(queue.undo('a')).toBe('a');
    expect(queue.undo()).toBe('c');
    vi.advanceTimersByTime(9000);
    expect(done).toEqual([['b', false]]);
    expect(queue.undo()).toBeUndefined();
    expect(queue.undo('b')).toBeUndefined();
  });

  it('does everything at once when the page goes away, and nothing twice', () => {
    const { queue, done } = createQueue();
    queue.add('a');
    queue.add('b');
    queue.flush();
    vi.advanceTimersByTime(9000);
    expect(done).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });
});
