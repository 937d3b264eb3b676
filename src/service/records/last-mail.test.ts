import { expect, it } from 'vitest';

import { openServices } from '../../../test/support/service/service-fixture.ts';
import { createLastMail, type LastMailOptions } from './last-mail.ts';

it('keeps when mail last came for each domain, written when it is listed or closed', async () => {
  const { deps, lend } = await openServices();
  const kept: [string, number][][] = [];
  const state = { now: 5000 };
  const directory: LastMailOptions['directory'] = {
    listLastMail: () => deps.directory.listLastMail(),
    keepLastMail: (lastMail) => {
      kept.push([...lastMail]);
      return deps.directory.keepLastMail(lastMail);
    },
  };
  const session = await lend();
  const open = () => createLastMail({ directory, onError: fail, clock: () => state.now });
  const lastMail = open();
  lastMail.note(['operator', session]);
  expect((await lastMail.list()).get('mayfly.test')).toBe(5000);
  state.now = 6000;
  lastMail.note([session]);
  lastMail.note([session]);
  await lastMail.close();
  expect(kept).toEqual([[['mayfly.test', 5000]], [['mayfly.test', 6000]]]);
  expect((await deps.directory.listLastMail()).get('mayfly.test')).toBe(6000);
  await open().close();
  expect(kept).toHaveLength(2);
});

it('keeps what could not be written for the next write', async () => {
  const { lend } = await openServices();
  const session = await lend();
  const kept: [string, number][][] = [];
  const errors: unknown[] = [];
  const state = { isAway: true, now: 5000 };
  const lastMail = createLastMail({
    directory: {
      listLastMail: () => Promise.resolve(new Map()),
      keepLastMail: (noted) => {
        if (state.isAway) return Promise.reject(new Error('away'));
        kept.push([...noted]);
        return Promise.resolve();
      },
    },
    onError: (error) => errors.push(error),
    clock: () => state.now,
  });
  lastMail.note([session]);
  await lastMail.close();
  expect(errors).toEqual([new Error('away')]);
  state.isAway = false;
  await lastMail.close();
  expect(kept).toEqual([[['mayfly.test', 5000]]]);
});

function fail(error: unknown): never {
  throw error;
}
