import { expect, it } from 'vitest';

import { suggestName } from './readable-name.ts';

it('suggests two words and two digits', () => {
  expect(suggestName(() => 0)).toBe('amber.ant10');
  const names = Array.from({ length: 300 }, () => suggestName());
  expect(names.filter((name) => !/^[a-z]{2,7}\.[a-z]{2,7}\d\d$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBeGreaterThan(280);
});
