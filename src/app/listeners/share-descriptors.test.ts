import { expect, it } from 'vitest';

import { readDescriptorLimit, shareDescriptors, type Wanted } from './share-descriptors.ts';

it.each<[string, Wanted, number, Wanted]>([
  ['room for all', { http: 25_000, smtp: 2000 }, 200_000, { http: 25_000, smtp: 2000 }],
  ['2,048 descriptors', { http: 25_000, smtp: 2000 }, 2048, { http: 896, smtp: 448 }],
  ['very few', { http: 25_000, smtp: 2000 }, 200, { http: 75, smtp: 37 }],
  ['a listener that wants little', { http: 100, smtp: 2000 }, 2048, { http: 100, smtp: 846 }],
  ['HTTP alone', { http: 25_000, smtp: 0 }, 2048, { http: 1792, smtp: 0 }],
  ['no cap of the operator', { http: Infinity, smtp: Infinity }, 2048, { http: 896, smtp: 448 }],
  ['no limit known', { http: 25_000, smtp: 2000 }, Infinity, { http: 25_000, smtp: 2000 }],
])('shares them with %s', (_name, wanted, limit, shared) => {
  expect(shareDescriptors(wanted, limit)).toEqual(shared);
  const { http, smtp } = shareDescriptors(wanted, limit);
  // The store has its reserve whatever strangers open.
  expect(http + 2 * smtp).toBeLessThan(limit);
});

it('reads the limit of this process', () => {
  expect(readDescriptorLimit()).toBeGreaterThan(100);
});
