import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { dayMs, findBytes, hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import type { Lease } from '../../store/lease-store.ts';
import type { MailStore } from '../../store/mail-store.ts';
import { createSweeper } from './sweep-expired.ts';

type SweptStore = Pick<MailStore, 'endDueSessions' | 'reclaim'>;

/** A store that only counts, and does what a test says. */
function createFake(does: Partial<SweptStore> = {}) {
  const calls = { end: 0, reclaim: 0 };
  const mail: SweptStore = {
    endDueSessions: (limit, lease) => {
      calls.end += 1;
      return does.endDueSessions?.(limit, lease) ?? Promise.resolve(0);
    },
    reclaim: (budgetMs, lease) => {
      calls.reclaim += 1;
      return does.reclaim?.(budgetMs, lease) ?? Promise.resolve(false);
    },
  };
  return { calls, mail: mail as MailStore };
}

function rethrow(error: unknown): never {
  throw error;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the sweeper', () => {
  it('looks every second, and wants no more than 5 ms of reclaim at a time', async () => {
    const budgets: number[] = [];
    const { calls, mail } = createFake({
      reclaim: (budgetMs) => {
        budgets.push(budgetMs);
        return Promise.resolve(false);
      },
    });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow });
    await vi.advanceTimersByTimeAsync(3000);
    expect(calls).toEqual({ end: 4, reclaim: 4 });
    expect(Math.max(...budgets)).toBe(5);
    await sweeper.close();
  });

  it('ends all that is due before it rests, in commits of a bounded number', async () => {
    const left = [200, 200, 17];
    const { calls, mail } = createFake({
      endDueSessions: (limit) => Promise.resolve(Math.min(limit, left.shift() ?? 0)),
    });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow });
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.end).toBe(3);
    await sweeper.close();
  });

  it('asks for as many as it may end in one commit', async () => {
    const limits: number[] = [];
    const { mail } = createFake({
      endDueSessions: (limit) => {
        limits.push(limit);
        return Promise.resolve(limits.length === 1 ? limit : 0);
      },
    });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow, endedAtOnce: 1000 });
    await vi.advanceTimersByTimeAsync(0);
    expect(limits).toEqual([1000, 1000]);
    await sweeper.close();
  });

  it('reclaims a fifth of the time while there is something, and keeps ending what is due', async () => {
    const { calls, mail } = createFake({ reclaim: () => Promise.resolve(true) });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow });
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls.reclaim).toBeGreaterThanOrEqual(40);
    expect(calls.reclaim).toBeLessThanOrEqual(51);
    expect(calls.end).toBe(calls.reclaim);
    await sweeper.close();
  });

  it('tells of a store that throws, and goes on a second later', async () => {
    const errors: unknown[] = [];
    let isDown = true;
    const down = new Error('The store is down.');
    const { calls, mail } = createFake({
      endDueSessions: () => (isDown ? Promise.reject(down) : Promise.resolve(0)),
    });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: (error) => errors.push(error) });
    await vi.advanceTimersByTimeAsync(2000);
    expect(errors).toEqual([down, down, down]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toHaveLength(3);
    expect(calls.reclaim).toBe(1);
    await sweeper.close();
  });
});

describe('the sweeper of a shared store', () => {
  it('does nothing without the lease, and nothing outside it once it has lapsed on the way', async () => {
    const lease: Lease = { name: 'sweep', holder: 'a', epoch: 3 };
    let held: Lease | undefined;
    const under: unknown[] = [];
    const { calls, mail } = createFake({
      endDueSessions: (limit, given) => {
        under.push(given);
        held = undefined;
        return Promise.resolve(under.length === 1 ? limit : 0);
      },
      reclaim: (_, given) => {
        under.push(given);
        return Promise.resolve(false);
      },
    });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow, lease: () => held });
    await vi.advanceTimersByTimeAsync(500);
    expect(calls).toEqual({ end: 0, reclaim: 0 });
    held = lease;
    await vi.advanceTimersByTimeAsync(3000);
    // Whether it is another's by now only the store can tell.
    expect(under).toEqual([lease, lease, lease]);
    await sweeper.close();
  });
});

describe('closing the sweeper', () => {
  it('wakes it from its rest, after which it does nothing more', async () => {
    const { calls, mail } = createFake();
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow });
    await vi.advanceTimersByTimeAsync(0);
    await sweeper.close();
    const before = { ...calls };
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the step under way and for no rest after it', async () => {
    let finish: (count: number) => void = () => undefined;
    const { calls, mail } = createFake({
      endDueSessions: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: rethrow });
    let isClosed = false;
    const closed = sweeper.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(isClosed).toBe(false);
    finish(200);
    await closed;
    expect(calls).toEqual({ end: 1, reclaim: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait after a step that fails meanwhile', async () => {
    let fail: (error: Error) => void = () => undefined;
    const { mail } = createFake({
      endDueSessions: () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    });
    const errors: unknown[] = [];
    const sweeper = createSweeper({ onRound: () => undefined, mail, onError: (error) => errors.push(error) });
    const closed = sweeper.close();
    fail(new Error('The store is closed.'));
    await closed;
    expect(errors).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be asked for twice', async () => {
    const sweeper = createSweeper({ onRound: () => undefined, mail: createFake().mail, onError: rethrow });
    await Promise.all([sweeper.close(), sweeper.close()]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('on a real store', () => {
  it('ends what is due, and reclaims down to empty tables', async () => {
    const { store, lend, deliver } = await openServices();
    const marker = 'Marker of the text';
    const [session, other] = [await lend(), await lend('other')];
    await deliver(plainMail(marker, 'x'.repeat(600_000)), session, other);
    await store.mail.deleteMessage(other.key, 1);
    await store.mail.endSession(other.key);
    store.clock.advance(hourMs);
    const { mail } = store;
    let rests = 0;
    const watched: Partial<MailStore> = {
      endDueSessions: (limit) => mail.endDueSessions(limit),
      reclaim: async (budgetMs) => {
        const hasMore = await mail.reclaim(budgetMs);
        rests = hasMore ? 0 : rests + 1;
        return hasMore;
      },
    };
    const sweeper = createSweeper({ onRound: () => undefined, mail: watched as MailStore, onError: rethrow });
    const sweepOn = async (): Promise<void> => {
      rests = 0;
      while (rests < 2) await turn();
    };
    await sweepOn();
    expect(await store.countRows()).toMatchObject({ content: 0, keys: 0 });
    expect(await mail.findSessionByKey(session.key)).toEqual({ state: 'ended' });
    for (const file of await store.dataFiles()) {
      expect(findBytes(file, [Buffer.from(marker)])).toEqual([]);
    }
    store.clock.advance(dayMs);
    await sweepOn();
    expect(await store.countRows()).toEqual({ content: 0, sessions: 0, keys: 0 });
    await sweeper.close();
  });

  /** Time passes for the sweeper, and the store gets its turns of the loop. */
  async function turn(): Promise<void> {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
});
