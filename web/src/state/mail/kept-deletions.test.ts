import { afterEach, expect, it, vi } from 'vitest';

import { dropDeletion, keepDeletion, readDeletions } from './kept-deletions.ts';

const one = { key: '1-2', email: 'fox@mayfly.test', ids: [3, 1] };

function stubStorage(given: Record<string, string> = {}): void {
  const kept = new Map(Object.entries(given));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('keeps deletions until they are dropped, and says whether they were there', () => {
  stubStorage();
  expect(keepDeletion(one)).toBe(true);
  expect(keepDeletion({ ...one, key: '3-4' })).toBe(true);
  expect(dropDeletion('1-2')).toBe(true);
  expect(dropDeletion('1-2')).toBe(false);
  expect(readDeletions()).toEqual([{ ...one, key: '3-4' }]);
});

it.each(['', 'nonsense', '{}', '[null, 5, {"key":1}]', '[{"key":"a","email":"b","ids":["<b>"]}]'])(
  'reads %j as none',
  (text) => {
    stubStorage({ 'mayfly.deletions': text });
    expect(readDeletions()).toEqual([]);
  },
);

it('says so where the browser keeps nothing', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(keepDeletion(one)).toBe(false);
});
