import { expect, it } from 'vitest';

import { openServices } from '../../../test/support/service/service-fixture.ts';
import { createLastMail, type LastMailOptions } from './last-mail.ts';

it('keeps when mail last came for each domain, at the latest when closed', async () => {
  const { deps, lend } = await openServices();
  const kept: [string, number][][] = [];
  const directory: LastMailOptions['directory'] = {
    listLastMail: () => Promise.resolve(new Map([['old.test', 1]])),
    keepLastMail: (lastMail: ReadonlyMap<string, number>) => {
      kept.push([...lastMail]);
      return deps.directory.keepLastMail(lastMail);
    },
  };
  const open = () => createLastMail({ directory, onError: () => undefined, clock: () => 5000 });
  const lastMail = open();
  lastMail.note(['operator', await lend()]);
  expect([...(await lastMail.list())]).toEqual([
    ['old.test', 1],
    ['mayfly.test', 5000],
  ]);
  await lastMail.close();
  expect(kept).toEqual([[['mayfly.test', 5000]]]);
  expect((await deps.directory.listLastMail()).get('mayfly.test')).toBe(5000);
  await open().close();
  expect(kept).toHaveLength(1);
});

it('keeps what could not be written for the next write', async () => {
  const { lend } = await openServices();
  const session = await lend();
  const kept: [string, number][][] = [];
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
    onError: () => undefined,
    clock: () => state.now,
  });
  lastMail.note([session]);
  await expect(lastMail.close()).rejects.toThrow('away');
  state.isAway = false;
  await lastMail.close();
  expect(kept).toEqual([[['mayfly.test', 5000]]]);
});
