import { expect, it } from 'vitest';

import { bindTestServices } from '../../../test/support/service/test-deps.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { captureLabel } from '../../domain/addresses/capture.ts';
import type { StandingTokens } from '../../store/standing-tokens.ts';
import { createStandingCaptures } from './standing-captures.ts';

function inMemory(): StandingTokens {
  const tokens = new Map<string, string>();
  return {
    find: (name) => tokens.get(name),
    count: () => tokens.size,
    keep: (name, token) => void tokens.set(name, token),
  };
}

async function open(tokens = inMemory()) {
  const { store, deps } = await openServices({
    limits: { lifetimeMaxSeconds: 3600, totalMaxSeconds: 86_400 },
  });
  const { createCaptureSession } = bindTestServices(deps).services;
  const { mail } = store;
  const captures = createStandingCaptures({ mail, limits: deps.limits, tokens, createCaptureSession });
  const labelOf = async (name: string) => captureLabel((await captures.get(name)).session);
  return { store, captures, labelOf, tokens };
}

it('makes one session a name, also for those who ask at the same time', async () => {
  const { labelOf } = await open();
  const labels = await Promise.all(['', 'a', '', 'a', 'A', ''].map(labelOf));
  expect(labels[0]).toMatch(/^[a-z2-9]{8}$/);
  expect([labels[2], labels[5], await labelOf('')]).toEqual([labels[0], labels[0], labels[0]]);
  expect(labels[3]).toBe(labels[1]);
  expect(new Set(labels).size).toBe(3);
});

it('makes it anew when it has ended', async () => {
  const { store, captures } = await open();
  const first = await captures.get('worker');
  await store.mail.endSession(first.session.key);
  const second = await captures.get('worker');
  expect(second.session.address).not.toBe(first.session.address);
  expect((await captures.get('worker')).session.address).toBe(second.session.address);
});

it('keeps it while it is used', async () => {
  const { store, captures } = await open();
  const first = await captures.get('');
  for (let half = 0; half < 6; half++) {
    store.clock.advance(31 * 60_000);
    expect((await captures.get('')).session.address).toBe(first.session.address);
  }
});

it('finds it again by its token after a restart', async () => {
  const { store, labelOf, tokens, captures } = await open();
  const label = await labelOf('worker');
  const limits = { lifetimeMaxSeconds: 3600 };
  const createCaptureSession = () => Promise.reject(new Error('It is there.'));
  const again = createStandingCaptures({ mail: store.mail, limits, tokens, createCaptureSession });
  expect(captureLabel((await again.get('worker')).session)).toBe(label);
  expect((await captures.get('worker')).session.address).toContain(label);
});

it('refuses a name that is too long, and more names than it keeps', async () => {
  const { captures } = await open();
  await expect(captures.get('é'.repeat(128))).rejects.toThrow('too many names');
  const full = await open({ ...inMemory(), count: () => 10_000 });
  await expect(full.captures.get('one more')).rejects.toThrow('too many names');
});

it('recognises the session of a name', async () => {
  const { captures } = await open();
  const [one, two] = [await captures.get('one'), await captures.get('two')];
  expect(captures.has('one', one.session.key)).toBe(true);
  expect(captures.has('one', two.session.key)).toBe(false);
  expect(captures.has('three', one.session.key)).toBe(false);
});
