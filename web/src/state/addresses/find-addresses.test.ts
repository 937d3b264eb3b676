import { expect, it } from 'vitest';

import { findAddresses } from './find-addresses.ts';

const all = [
  { email: 'fox@mayfly.test', label: { value: 'Shop Ölmühle' } },
  { email: 'owl@second.test', label: { value: '' } },
];
const found = (query: string): string[] => findAddresses(all, query).map(({ email }) => email);

it('finds by label, by name and by domain, in any case', () => {
  expect(found('ölm')).toEqual(['fox@mayfly.test']);
  expect(found(' OWL ')).toEqual(['owl@second.test']);
  expect(found('second')).toEqual(['owl@second.test']);
});

it('leaves all for nothing, and none where nothing fits or the match would span label and address', () => {
  expect(found('  ')).toHaveLength(2);
  expect(found('shopper')).toEqual([]);
  expect(found('hlefox')).toEqual([]);
});
