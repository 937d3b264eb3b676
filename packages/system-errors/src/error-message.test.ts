import { expect, it } from 'vitest';

import { messageOf } from './error-message.ts';

it.each([
  [new TypeError('no such file'), 'no such file'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('returns of %s what is to be shown', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
