import { expect, it } from 'vitest';

import { matchesTag } from './entity-tag.ts';

it.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a" ,"c"', true],
  [' * ', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('compares If-None-Match %j', (field, matches) => {
  expect(matchesTag(field, 'W/"a"')).toBe(matches);
});
