import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it, onTestFinished, vi } from 'vitest';

import { createSealTarget, sealer } from '#sealing/sealer';
import { createToken } from '#sealing/token';
import { collectAtRest } from './collect-at-rest.ts';

/** In a function of its own, whose frame must not refer to it. */
function createGarbage(): WeakRef<object> {
  return new WeakRef({ text: 'of a mail' });
}

it('collects garbage once nothing is cached, and nothing was sealed for an epoch', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  sealer.forget();
  let areEmpty = false;
  const atRest = collectAtRest({ areEmpty: () => areEmpty });
  onTestFinished(() => {
    atRest.close();
  });
  vi.advanceTimersByTime(30_000);
  sealer.prime(createSealTarget(createToken().token));
  areEmpty = true;
  const garbage = createGarbage();
  await nextTurn();
  vi.advanceTimersByTime(30_000);
  expect(garbage.deref()).toBeDefined();
  await nextTurn();
  sealer.forget();
  vi.advanceTimersByTime(30_000);
  expect(garbage.deref()).toBeUndefined();
});
