import { expect, it } from 'vitest';

import { chooseFollowed } from './choose-followed.ts';

it('takes those looked at, the latest first, then the newest', () => {
  expect(chooseFollowed(['a', 'b', 'c', 'd', 'e'], ['b'])).toEqual(['b', 'e', 'd']);
  expect(chooseFollowed(['a', 'b', 'c', 'd', 'e'], ['b', 'a', 'e', 'c'])).toEqual(['b', 'a', 'e']);
});

it('takes each once, and none that is gone', () => {
  expect(chooseFollowed(['a', 'b'], ['b', 'x', 'b'])).toEqual(['b', 'a']);
  expect(chooseFollowed(['a'], ['x'])).toEqual(['a']);
  expect(chooseFollowed([], ['x'])).toEqual([]);
});
