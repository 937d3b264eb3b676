import { expect, it, onTestFinished, vi } from 'vitest';

import { openServices, plainMail, type Services } from '../../../test/support/service/service-fixture.ts';
import type { Session } from '../../domain/session.ts';
import { checkMail } from './check-mail.ts';
import { createEarlyGlances, type EarlyGlances } from './early-glances.ts';

function openEarly({ store, deps }: Services): EarlyGlances {
  const onError = (error: unknown): never => {
    throw error;
  };
  const early = createEarlyGlances({ mail: store.mail, glances: deps.glances, onError });
  onTestFinished(() => early.close());
  return early;
}

async function isKept({ store }: Services, { key }: Session, id: number): Promise<boolean> {
  const stored = await store.mail.findMessage(key, id);
  return stored?.glance instanceof Uint8Array;
}

it('are stored before the first list, which makes none', async () => {
  const services = await openServices();
  const early = openEarly(services);
  const session = await services.lend();
  const id = await services.deliver(plainMail('One', 'The fox jumps.'), session);
  early.note(session.key, id);
  await vi.waitFor(async () => expect(await isKept(services, session, id)).toBe(true), 15_000);
  const [listed] = await checkMail(services.deps, await services.refresh(session));
  expect(listed?.preview).toBe('The fox jumps.');
  expect(services.parserCalls.glance).toBe(1);
});

it('wait while much mail arrives', async () => {
  const services = await openServices();
  const early = openEarly(services);
  const session = await services.lend();
  const id = await services.deliver(plainMail('One'), session);
  // Three intervals of load.
  for (let burst = 0; burst < 30; burst += 1) {
    for (let count = 0; count < 30; count += 1) early.note(session.key, id);
    await new Promise((resume) => setTimeout(resume, 10));
  }
  const duringLoad = services.parserCalls.glance;
  await vi.waitFor(async () => expect(await isKept(services, session, id)).toBe(true), 15_000);
  expect([duringLoad, services.parserCalls.glance]).toEqual([0, 1]);
});

it('are not made of what has ended or gone meanwhile, nor once it is closed', async () => {
  const services = await openServices();
  const early = openEarly(services);
  const [ended, live] = [await services.lend(), await services.lend()];
  const inEnded = await services.deliver(plainMail('One'), ended);
  await services.store.mail.endSession(ended.key);
  // Made last: the newest goes first.
  const last = await services.deliver(plainMail('Two'), live);
  early.note(live.key, last);
  early.note(ended.key, inEnded);
  early.note(live.key, 99);
  await vi.waitFor(async () => expect(await isKept(services, live, last)).toBe(true), 15_000);
  expect(services.parserCalls.glance).toBe(1);
  await early.close();
  early.note(live.key, await services.deliver(plainMail('Three'), live));
  expect(services.parserCalls.glance).toBe(1);
});
