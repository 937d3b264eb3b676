// Contract: an address has one holder at a time and rests afterwards. Part of mail-store.ts.

import { expect, it } from 'vitest';

import {
  createLive,
  dayMs,
  deliverOne,
  hourMs,
  listIds,
  minuteMs,
  newSession,
  openForTest,
  type OpenStore,
  stateOf,
  sweep,
} from './store-fixture.ts';

const address = 'quiet-fox@mayfly.test';

export function addressContract(open: OpenStore): void {
  holderContract(open);
  quarantineContract(open);
}

function holderContract(open: OpenStore): void {
  it('refuses an address that a live session holds, in any spelling, and stores nothing', async () => {
    const store = await openForTest(open);
    const holder = await createLive(store, { address });
    const second = newSession({ address: 'QUIET-fox@mayfly.test' });
    expect(await store.mail.createSession(second)).toBe('taken');
    expect(await store.mail.findSession(second.tokenHash)).toEqual({ state: 'unknown' });
    expect(await store.mail.findLiveSession(address)).toEqual(holder);
    expect(await store.countRows()).toMatchObject({ keys: 1 });
  });

  it('gives one address to exactly one of 20 concurrent callers', async () => {
    const store = await openForTest(open);
    const asked = Array.from({ length: 20 }, () => newSession({ address }));
    const answers = await Promise.all(asked.map((session) => store.mail.createSession(session)));
    expect(answers.filter((answer) => answer !== 'taken')).toHaveLength(1);
    expect(await store.mail.findLiveSession(address)).toEqual(answers.find((answer) => answer !== 'taken'));
  });

  it('shows nothing of the previous holder to the next one, or the other way round', async () => {
    const store = await openForTest(open);
    const last = await createLive(store, { address });
    await deliverOne(store, last, 'for the last holder');
    await store.mail.endSession(last.key);
    const next = await createLive(store, { address });
    expect(await listIds(store, next)).toEqual([]);
    expect(await store.mail.listEvents(next.key, 0, 100)).toEqual({ events: [], reset: false });
    expect(
      await store.mail.deliver([{ key: last.key, sizeBytes: 0, meta: Buffer.from('m'), raw: [] }]),
    ).toEqual([{ outcome: 'ended' }]);
    await deliverOne(store, next);
    await sweep(store);
    expect(await store.mail.findLiveSession(address)).toMatchObject({ key: next.key });
    expect(await listIds(store, next)).toEqual([1]);
  });
}

function quarantineContract(open: OpenStore): void {
  it.each([
    ['of a random one', hourMs],
    ['of a chosen one', 7 * dayMs],
  ])('quarantines an address (%s) after its session was ended', async (_, quarantineMs) => {
    const store = await openForTest(open);
    const session = await createLive(store, { address, quarantineMs });
    store.clock.advance(minuteMs);
    await store.mail.endSession(session.key);
    store.clock.advance(quarantineMs - 1);
    await sweep(store);
    expect(await store.mail.createSession(newSession({ address }))).toBe('taken');
    store.clock.advance(1);
    await createLive(store, { address });
  });

  it.each([
    ['with', true],
    ['without', false],
  ])('counts the quarantine from the expiry, %s a sweep', async (_, isSwept) => {
    const store = await openForTest(open);
    await createLive(store, { address, quarantineMs: dayMs });
    store.clock.advance(hourMs + minuteMs);
    if (isSwept) await sweep(store);
    expect(await store.mail.createSession(newSession({ address }))).toBe('taken');
    store.clock.advance(dayMs - minuteMs - 1);
    expect(await store.mail.createSession(newSession({ address }))).toBe('taken');
    store.clock.advance(1);
    await createLive(store, { address });
  });

  it('lends an address without quarantine again at once, whether ended or expired and not swept', async () => {
    const store = await openForTest(open);
    const first = await createLive(store, { address });
    await store.mail.endSession(first.key);
    const second = await createLive(store, { address });
    store.clock.advance(hourMs);
    const third = await createLive(store, { address });
    expect(await store.mail.findLiveSession(address)).toEqual(third);
    expect(await stateOf(store, first)).toBe('ended');
    expect(await stateOf(store, second)).toBe('ended');
    expect(await store.countRows()).toMatchObject({ keys: 1 });
  });

  it('remembers a quarantined address when it is reopened', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address, quarantineMs: hourMs });
    await store.mail.endSession(session.key);
    await store.reopen();
    expect(await store.mail.createSession(newSession({ address }))).toBe('taken');
  });

  it('keeps an address in quarantine longer than it remembers the ended session', async () => {
    const store = await openForTest(open);
    const session = await createLive(store, { address, quarantineMs: 7 * dayMs });
    await store.mail.endSession(session.key);
    store.clock.advance(2 * dayMs);
    await sweep(store);
    expect(await stateOf(store, session)).toBe('unknown');
    expect(await store.mail.createSession(newSession({ address }))).toBe('taken');
    store.clock.advance(5 * dayMs);
    await createLive(store, { address });
  });
}
