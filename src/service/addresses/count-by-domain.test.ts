import { expect, it } from 'vitest';

import { createSessionCounts } from './count-by-domain.ts';

function open(addresses: readonly string[]) {
  const sorted = [...addresses].sort();
  const time = { now: 0 };
  const asked: string[] = [];
  const finder = {
    listLiveAfter: (after: string, limit: number) => {
      asked.push(after);
      return Promise.resolve(sorted.filter((address) => address > after).slice(0, limit));
    },
  };
  return { counts: createSessionCounts(finder, () => time.now), time, asked };
}

it('counts by the operator’s domain, the fullest first', async () => {
  const { counts } = open(['a@b.test', 'c@a.test', '*@abcdefgh.b.test', 'd@c.test']);
  expect(await counts.byDomain()).toEqual([
    { domain: 'b.test', liveSessions: 2 },
    { domain: 'a.test', liveSessions: 1 },
    { domain: 'c.test', liveSessions: 1 },
  ]);
});

it('lets others have their turn between slices', async () => {
  const slice = Array.from({ length: 2000 }, (_, at) => `s${String(at).padStart(5, '0')}@a.test`);
  const order: string[] = [];
  const finder = {
    listLiveAfter: (after: string) => {
      order.push('slice');
      if (after === '') setImmediate(() => order.push('other'));
      return Promise.resolve(after === '' ? slice : []);
    },
  };
  await createSessionCounts(finder).byDomain();
  expect(order).toEqual(['slice', 'other', 'slice']);
});

it('walks many in slices, and remembers the result for a minute', async () => {
  const many = Array.from({ length: 4500 }, (_, at) => `s${String(at).padStart(5, '0')}@a.test`);
  const { counts, time, asked } = open(many);
  expect(await counts.byDomain()).toEqual([{ domain: 'a.test', liveSessions: 4500 }]);
  await counts.byDomain();
  expect(asked).toEqual(['', 's01999@a.test', 's03999@a.test']);
  time.now = 60_001;
  await counts.byDomain();
  expect(asked).toHaveLength(6);
});
