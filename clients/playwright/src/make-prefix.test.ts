import { expect, it } from 'vitest';

import { makePrefix } from './make-prefix.ts';

const valid = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

it.each([
  ['Signs up', 'signs-up-w3-r1-'],
  ['Ünïcode – “quoted” & more', 'unicode-quoted-more-w3-r1-'],
  ['日本語', 'w3-r1-'],
  ['', 'w3-r1-'],
  ['...', 'w3-r1-'],
  ['admin', 'admin-w3-r1-'],
  ['-a- -b-', 'a-b-w3-r1-'],
])('makes %j begin with %s', (title, beginning) => {
  const prefix = makePrefix({ title, workerIndex: 3, retry: 1 });
  expect(prefix.startsWith(beginning)).toBe(true);
  expect(prefix.slice(beginning.length)).toMatch(/^[a-z0-9]{6}$/);
});

it('fits into what the service takes, however long the title and however many the workers', () => {
  for (let length = 0; length < 100; length++) {
    for (const workerIndex of [0, 99, 12_345]) {
      const title = 'ab '.repeat(50).slice(0, length);
      const prefix = makePrefix({ title, workerIndex, retry: 10 });
      expect(prefix.length).toBeLessThanOrEqual(40);
      expect(prefix).toMatch(valid);
    }
  }
});

it('is another one each time', () => {
  const test = { title: 'same', workerIndex: 0, retry: 0 };
  expect(new Set(Array.from({ length: 1000 }, () => makePrefix(test))).size).toBe(1000);
});
