import { describe, expect, it } from 'vitest';

import { FairQueue, type FairQueueOptions, type TurnOwner } from './fair-queue.ts';

const by = (session: string, network = session): TurnOwner => ({ session, network });

function createQueue(options: Partial<FairQueueOptions> = {}) {
  const time = { now: 0 };
  const queue = new FairQueue<string>({
    perSession: 1,
    perNetwork: 100,
    perSite: 100,
    waitingMax: 100,
    now: () => time.now,
    ...options,
  });
  /** Gives every piece its turn, with the given times, and returns them in that order. */
  const run = (ms: (item: string) => number = () => 1): string[] => {
    const order: string[] = [];
    for (let next = queue.take(); next; next = queue.take()) {
      order.push(next.item);
      queue.leave(next.owner, ms(next.item));
    }
    return order;
  };
  return { queue, run, time };
}

describe('FairQueue', () => {
  it('gives the sessions of a network turns, and each its own in order', () => {
    const { queue, run } = createQueue();
    for (const item of ['a1', 'a2', 'a3']) queue.add(by('a', 'n'), item);
    for (const item of ['b1', 'b2']) queue.add(by('b', 'n'), item);
    expect(run()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('gives networks turns, however many sessions one has', () => {
    const { queue, run } = createQueue();
    for (let i = 0; i < 10; i++) queue.add(by(`a${i}`, 'many'), `a${i}`);
    queue.add(by('b', 'one'), 'b1');
    queue.add(by('b', 'one'), 'b2');
    expect(run().slice(0, 4)).toEqual(['a0', 'b1', 'a1', 'b2']);
  });

  it.each([
    ['/24', (i: number) => `192.0.2.${i}`, '198.51.100.1'],
    ['/48', (i: number) => `2001:db8:1:${i}::/64`, '2001:db8:2:1::/64'],
  ])('gives a %s turns as one, however many networks it has', (_, networkOf, other) => {
    const { queue, run } = createQueue();
    for (let i = 0; i < 10; i++) queue.add(by(`a${i}`, networkOf(i)), `a${i}`);
    queue.add(by('b', other), 'b1');
    queue.add(by('b', other), 'b2');
    expect(run().slice(0, 4)).toEqual(['a0', 'b1', 'a1', 'b2']);
  });

  it('has no more under way of a /24 than it may, and drops of it first when it is full', () => {
    const { queue } = createQueue({ perSite: 2, waitingMax: 4 });
    for (let i = 0; i < 4; i++) queue.add(by(`a${i}`, `192.0.2.${i}`), `a${i}`);
    expect(queue.add(by('b', '198.51.100.1'), 'b1')).toBe('a3');
    const taken = [queue.take(), queue.take(), queue.take(), queue.take()].map((next) => next?.item);
    expect(taken).toEqual(['a0', 'a1', 'b1', undefined]);
    queue.leave(by('a0', '192.0.2.0'), 1);
    expect(queue.take()?.item).toBe('a2');
  });

  it('prefers those who have had less time, until that is forgotten', () => {
    const { queue, run, time } = createQueue();
    const ms = (item: string): number => (item.startsWith('slow') ? 2000 : 10);
    queue.add(by('slow'), 'slow');
    run(ms);
    for (let i = 0; i < 3; i++) queue.add(by('slow'), `slow${i}`);
    for (let i = 0; i < 3; i++) queue.add(by('quick'), `quick${i}`);
    expect(run(ms)).toEqual(['quick0', 'quick1', 'quick2', 'slow0', 'slow1', 'slow2']);
    time.now += 3_600_000;
    queue.add(by('slow'), 'slow');
    queue.add(by('quick'), 'quick');
    expect(run(ms)).toEqual(['slow', 'quick']);
  });

  it('adds up turns that are too short to count by themselves', () => {
    const { queue, run } = createQueue();
    for (let i = 0; i < 5; i++) queue.add(by(`a${i}`, 'many'), `a${i}`);
    queue.add(by('b', 'one'), 'b');
    expect(run(() => 0.1).indexOf('b')).toBe(3);
  });

  it('has no more under way of a session, from wherever it is asked for, and of a network than it may', () => {
    const { queue } = createQueue({ perSession: 1, perNetwork: 2 });
    queue.add(by('a', 'n'), 'a1');
    queue.add(by('a', 'm'), 'a2');
    queue.add(by('b', 'n'), 'b1');
    queue.add(by('c', 'n'), 'c1');
    const taken = [queue.take(), queue.take(), queue.take()].map((next) => next?.item);
    expect(taken).toEqual(['a1', 'b1', undefined]);
    queue.leave(by('a', 'n'), 0);
    expect(queue.take()?.item).toBe('a2');
    expect(queue.take()?.item).toBe('c1');
    expect(queue.size).toBe(0);
  });

  it('drops the newest of the longest share when it is full, which is not the newcomer', () => {
    const { queue, run } = createQueue({ waitingMax: 4 });
    for (const item of ['a1', 'a2', 'a3']) expect(queue.add(by('a', 'n'), item)).toBeUndefined();
    expect(queue.add(by('b', 'n'), 'b1')).toBeUndefined();
    expect(queue.add(by('c', 'm'), 'c1')).toBe('a3');
    expect(queue.add(by('a', 'n'), 'a4')).toBe('a4');
    expect(run()).toEqual(['a1', 'c1', 'b1', 'a2']);
  });

  it('puts back before everything else of the owner', () => {
    const { queue, run } = createQueue();
    queue.add(by('a'), 'a1');
    queue.add(by('a'), 'a2');
    const first = queue.take();
    queue.leave(by('a'), 1);
    queue.putBack(by('a'), String(first?.item));
    expect(run()).toEqual(['a1', 'a2']);
  });

  it('takes out what no longer waits for a turn', () => {
    const { queue, run } = createQueue();
    queue.add(by('a'), 'a1');
    queue.add(by('a'), 'a2');
    expect(queue.remove(by('a'), 'a1')).toBe(true);
    expect(queue.remove(by('a'), 'a1')).toBe(false);
    expect(queue.remove(by('b'), 'a2')).toBe(false);
    expect(run()).toEqual(['a2']);
  });

  it('remembers no more networks than it needs', () => {
    const { queue, run } = createQueue();
    for (let i = 0; i < 5000; i++) {
      queue.add(by(`s${i}`), `s${i}`);
      run();
    }
    // The one that had its turn last still stands behind a new one.
    queue.add(by('s4999'), 'known');
    queue.add(by('new'), 'new');
    expect(run()).toEqual(['new', 'known']);
  });
});
