import { expect, it } from 'vitest';

import { openOnce } from './open-once.ts';

it('opens once for all callers', async () => {
  let opened = 0;
  const open = openOnce(() => Promise.resolve(++opened));
  expect(await Promise.all([open(), open()])).toEqual([1, 1]);
  expect(await open()).toBe(1);
});

it('opens again after a failure', async () => {
  let tries = 0;
  const open = openOnce(async () => {
    await Promise.resolve();
    if (++tries === 1) throw new Error('away');
    return 'open';
  });
  await expect(open()).rejects.toThrow('away');
  expect(await open()).toBe('open');
});

it('opens again after a failure before the first turn', async () => {
  let tries = 0;
  const open = openOnce(() => {
    if (++tries === 1) throw new Error('at once');
    return Promise.resolve('open');
  });
  await expect(open()).rejects.toThrow('at once');
  expect(await open()).toBe('open');
});
