import { expect, it } from 'vitest';

import { seqMax, seqOf, toMessageRowId, toRowBound, toRowId } from './message-row-id.ts';

const lastSessionId = 2 ** 31 - 1;

it('is exact for the last session and its last entry', () => {
  const rowId = toRowId(lastSessionId, seqMax);
  expect(Number.isSafeInteger(rowId)).toBe(true);
  expect(rowId).toBe(2 ** 53 - 1);
  expect(seqOf(rowId)).toBe(seqMax);
});

it.each([0, -1, 1.5, seqMax + 1, 2 ** 53, Infinity, NaN])('is no row’s for %d', (id) => {
  expect(toMessageRowId(5, id)).toBe(0);
});

it('keeps bounds within the session', () => {
  expect(toRowBound(5, -7)).toBe(toRowId(5, 0));
  expect(toRowBound(5, Infinity)).toBe(toRowId(6, 0));
  expect(toRowBound(5, 2.5)).toBe(toRowId(5, 2) + 0.5);
});
