import { randomBytes } from 'node:crypto';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Session, SessionKey } from '../../domain/session.ts';
import { KnownHolders } from './known-holders.ts';

const createdAt = Date.UTC(2026, 0, 1);

function sessionOf(name: string, lifetimeMs = 3_600_000): Session {
  return {
    key: randomBytes(16) as unknown as SessionKey,
    address: `${name}@mayfly.test`,
    publicKey: randomBytes(32),
    salt: randomBytes(16),
    createdAt,
    expiresAt: createdAt + lifetimeMs,
    latestEndAt: createdAt + lifetimeMs,
    seq: 0,
    version: 0,
    messageCount: 0,
    messageBytes: 0,
  };
}

function setUp() {
  const time = { ms: 1000 };
  const holders = new KnownHolders({ now: () => null, clock: () => time.ms });
  onTestFinished(() => {
    holders.clear();
  });
  holders.listen(true);
  /** Learns all of them from one response; `before` runs before it arrives. */
  const learn = (sessions: readonly Session[], before: () => void = () => undefined): Promise<void> =>
    holders.ask((keep) => {
      before();
      for (const session of sessions) keep(session.address, { session, seenAt: createdAt });
      return Promise.resolve();
    });
  return { holders, time, learn };
}

describe('a holder', () => {
  it('is known by its address once it was seen, and other addresses are not', async () => {
    const { holders, learn } = setUp();
    const fox = sessionOf('fox');
    expect(holders.find(fox.address)).toBeUndefined();
    await learn([fox]);
    expect(holders.find(fox.address)).toBe(fox);
    expect(holders.find('owl@mayfly.test')).toBeUndefined();
  });

  it.each([
    ['is looked up again within a minute', 3_600_000, 50_000],
    ['is not believed past its end on the clock of the database', 10_000, 10_000],
  ])('%s', async (_, lifetimeMs, believedMs) => {
    const { holders, time, learn } = setUp();
    const fox = sessionOf('fox', lifetimeMs);
    await learn([fox]);
    time.ms += believedMs - 1;
    expect(holders.find(fox.address)).toBe(fox);
    time.ms += 1;
    expect(holders.find(fox.address)).toBeUndefined();
  });

  it('includes messages received meanwhile', async () => {
    const { holders, learn } = setUp();
    const fox = sessionOf('fox');
    await learn([fox]);
    holders.recordStored(fox.key, { id: 1, sizeBytes: 100 });
    holders.recordStored(fox.key, { id: 2, sizeBytes: 50 });
    expect(holders.find(fox.address)).toEqual({
      ...fox,
      seq: 2,
      version: 2,
      messageCount: 2,
      messageBytes: 150,
    });
  });

  it('is replaced by the next one at its address, unaffected by the end of the last', async () => {
    const { holders, learn } = setUp();
    const [first, second] = [sessionOf('fox'), sessionOf('fox')];
    await learn([first]);
    await learn([second]);
    holders.forget(first.key);
    expect(holders.find(second.address)).toBe(second);
    holders.forget(second.key);
    expect(holders.find(second.address)).toBeUndefined();
  });
});

describe('a session that changed during a query', () => {
  it('is not cached from its result; unchanged ones are', async () => {
    const { holders, learn } = setUp();
    const [fox, owl] = [sessionOf('fox'), sessionOf('owl')];
    await learn([fox, owl], () => {
      holders.forget(fox.key);
    });
    expect(holders.find(fox.address)).toBeUndefined();
    expect(holders.find(owl.address)).toBe(owl);
  });

  it('is not trusted after news was missed', async () => {
    const { holders, learn } = setUp();
    const fox = sessionOf('fox');
    await learn([fox], () => {
      holders.clear();
    });
    expect(holders.find(fox.address)).toBeUndefined();
  });
});

describe('nothing is cached', () => {
  it('while no news is received, nor from before that', async () => {
    const { holders, learn } = setUp();
    const [fox, owl] = [sessionOf('fox'), sessionOf('owl')];
    await learn([fox]);
    holders.listen(false);
    await learn([owl]);
    expect([holders.find(fox.address), holders.find(owl.address)]).toEqual([undefined, undefined]);
    holders.listen(true);
    expect([holders.find(fox.address), holders.find(owl.address)]).toEqual([undefined, undefined]);
    await learn([owl]);
    expect(holders.find(owl.address)).toBe(owl);
  });
});

describe('memory', () => {
  it('is bounded: the least recently seen goes first', async () => {
    const { holders, learn } = setUp();
    const sessions = Array.from({ length: 20_001 }, (_, at) => sessionOf(`fox-${at}`));
    await learn(sessions);
    expect(holders.find('fox-0@mayfly.test')).toBeUndefined();
    expect(holders.find('fox-1@mayfly.test')).toBe(sessions[1]);
    expect(holders.find('fox-20000@mayfly.test')).toBe(sessions[20_000]);
  });

  it('is empty within a minute, with or without look-ups, and then no timer runs', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { holders, time, learn } = setUp();
    const fox = sessionOf('fox');
    await learn([fox]);
    expect(vi.getTimerCount()).toBe(1);
    time.ms += 50_000;
    vi.advanceTimersByTime(5000);
    expect(vi.getTimerCount()).toBe(0);
    time.ms -= 50_000;
    expect(holders.find(fox.address)).toBeUndefined();
  });
});
