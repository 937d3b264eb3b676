import { expect, it, onTestFinished, vi } from 'vitest';

import {
  openServices,
  plainMail,
  type Services,
  toRawMessage,
} from '../../../test/support/service/service-fixture.ts';
import type { Session } from '../../domain/session.ts';
import { checkMail } from './check-mail.ts';
import { createEarlyGlances, type EarlyGlances } from './early-glances.ts';
import { HeadsInHand } from './heads-in-hand.ts';

interface Setting extends Services {
  readonly early: EarlyGlances;
  readonly heads: HeadsInHand;
  /** Notes a message as its delivery does. */
  note(session: Session, id: number, raw: string): void;
}

async function open(): Promise<Setting> {
  const services = await openServices();
  const { store, deps } = services;
  const onError = (error: unknown): never => {
    throw error;
  };
  const heads = new HeadsInHand();
  const early = createEarlyGlances({ mail: store.mail, glances: deps.glances, heads, onError });
  onTestFinished(() => early.close());
  const note = (session: Session, id: number, raw: string): void => {
    early.note(session.key, id, toRawMessage(Buffer.from(raw)));
  };
  return { ...services, early, heads, note };
}

function mailOf(kilobytes: number): string {
  return plainMail(
    'Long',
    `The fox jumps. ${'x'
      .repeat(70)
      .concat('\r\n')
      .repeat(kilobytes * 14)}`,
  );
}

async function isKept({ store }: Services, { key }: Session, id: number): Promise<boolean> {
  const stored = await store.mail.findMessage(key, id);
  return stored?.glance instanceof Uint8Array;
}

it('are stored before the first list, which makes none, and nothing is read back for them', async () => {
  const services = await open();
  const read = vi.spyOn(services.store.mail, 'readRaw');
  const find = vi.spyOn(services.store.mail, 'findMessage');
  const session = await services.lend();
  const raw = plainMail('One', 'The fox jumps.');
  const id = await services.deliver(raw, session);
  services.note(session, id, raw);
  await vi.waitUntil(() => services.parserCalls.glance === 1, 60_000);
  expect([read.mock.calls, find.mock.calls]).toEqual([[], []]);
  await vi.waitFor(async () => expect(await isKept(services, session, id)).toBe(true), 60_000);
  const [listed] = await checkMail(services.deps, await services.refresh(session));
  expect(listed?.preview).toBe('The fox jumps.');
  expect(services.parserCalls.glance).toBe(1);
  expect(read.mock.calls).toEqual([]);
});

it('wait while much mail arrives', async () => {
  const services = await open();
  const session = await services.lend();
  const raw = plainMail('One');
  const id = await services.deliver(raw, session);
  // Three intervals of load.
  for (let burst = 0; burst < 30; burst += 1) {
    for (let count = 0; count < 30; count += 1) services.note(session, id, raw);
    await new Promise((resume) => setTimeout(resume, 10));
  }
  const duringLoad = services.parserCalls.glance;
  await vi.waitFor(async () => expect(await isKept(services, session, id)).toBe(true), 60_000);
  expect([duringLoad, services.parserCalls.glance]).toEqual([0, 1]);
});

it('are made when a burst is over', async () => {
  const services = await open();
  const session = await services.lend();
  const raw = plainMail('One');
  const ids: number[] = [];
  for (let count = 0; count < 60; count += 1) ids.push(await services.deliver(raw, session));
  for (const id of ids) services.note(session, id, raw);
  await vi.waitUntil(() => services.parserCalls.glance === 60, 60_000);
  expect(services.heads.size).toBe(0);
});

it('are not made of sessions that have ended, and no more once closed', async () => {
  const services = await open();
  const [ended, live] = [await services.lend(), await services.lend()];
  const raw = plainMail('One');
  const inEnded = await services.deliver(raw, ended);
  await services.store.mail.endSession(ended.key);
  const last = await services.deliver(raw, live);
  services.note(live, last, raw);
  services.note(ended, inEnded, raw);
  await vi.waitFor(async () => expect(await isKept(services, live, last)).toBe(true), 60_000);
  expect(services.parserCalls.glance).toBe(1);
  await services.early.close();
  services.note(live, await services.deliver(raw, live), raw);
  expect([services.parserCalls.glance, services.heads.size]).toEqual([1, 0]);
});

it('are made at a stop, so that lists after a restart find them', async () => {
  const services = await open();
  const session = await services.lend();
  const raw = plainMail('One', 'The fox jumps.');
  const ids: number[] = [];
  for (let count = 0; count < 50; count += 1) ids.push(await services.deliver(raw, session));
  for (const id of ids) services.note(session, id, raw);
  await services.early.close();
  await services.deps.glances.close();
  for (const id of ids) expect(await isKept(services, session, id)).toBe(true);
});

it('are left to the first list where the first bytes do not show all', async () => {
  const services = await open();
  const session = await services.lend();
  const raw = mailOf(80);
  const id = await services.deliver(raw, session);
  services.note(session, id, raw);
  await vi.waitUntil(() => services.parserCalls.glance === 1, 60_000);
  await services.deps.glances.close();
  expect(await isKept(services, session, id)).toBe(false);
  const [listed] = await checkMail(services.deps, await services.refresh(session));
  expect(listed?.preview).toMatch(/^The fox jumps\./);
  expect(listed?.isPartial).toBeUndefined();
});

it('are made of no more than a megabyte of what arrives at once', async () => {
  const services = await open();
  const session = await services.lend();
  for (let id = 1; id <= 40; id += 1) services.note(session, id, mailOf(70));
  expect(services.heads.size).toBe(16);
});

it('are not made of a flood, until it is over', async () => {
  const services = await open();
  const session = await services.lend();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  for (let id = 1; id <= 300; id += 1) services.note(session, 1000 + id, plainMail('One'));
  await vi.advanceTimersByTimeAsync(100);
  services.heads.clear();
  for (let id = 1; id <= 10; id += 1) services.note(session, 2000 + id, plainMail('One'));
  expect(services.heads.size).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  services.note(session, 3000, plainMail('One'));
  expect(services.heads.size).toBe(1);
});

it('are made of what arrives after a megabyte, too', async () => {
  const services = await open();
  const session = await services.lend();
  for (let id = 1; id <= 40; id += 1) services.note(session, 1000 + id, mailOf(70));
  await vi.waitUntil(() => services.heads.size === 0, 60_000);
  const raw = plainMail('One');
  const id = await services.deliver(raw, session);
  services.note(session, id, raw);
  await vi.waitFor(async () => expect(await isKept(services, session, id)).toBe(true), 60_000);
});

it('hold no more bytes than allowed: the oldest go first, and old ones by themselves', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => {
    now.mockRestore();
  });
  const heads = new HeadsInHand(100_000);
  const key = Buffer.alloc(16, 1) as Uint8Array as Session['key'];
  for (let id = 1; id <= 20; id++) heads.hold(key, id, toRawMessage(Buffer.alloc(9_000)));
  expect(heads.size).toBe(10);
  expect(heads.take(key, 10)).toBeUndefined();
  expect(heads.take(key, 11)?.head).toHaveLength(9_000);
  expect(heads.takeNewest(2).map(({ id }) => id)).toEqual([20, 19]);
  now.mockReturnValue(60_000);
  heads.dropOld();
  expect(heads.size).toBe(0);
});
