import { expect, it } from 'vitest';

import { parseSettings } from './settings.ts';

const defaults = { theme: 'system', sound: false, notify: false, copies: false, keys: true };

it.each([null, '', '{', 'null', '5', '[]', '{"theme":"url(x)","sound":"yes","keys":0}'])(
  'takes the defaults for %j',
  (text) => {
    expect(parseSettings(text)).toEqual(defaults);
  },
);

it('reads what was chosen', () => {
  const chosen = { theme: 'dark', sound: true, notify: true, copies: true, keys: false };
  expect(parseSettings(JSON.stringify(chosen))).toEqual(chosen);
});

it('remembers where the browser is notified of mail, within reason', () => {
  expect(parseSettings('{"push":"https://push.test/a"}').push).toBe('https://push.test/a');
  expect(parseSettings(JSON.stringify({ push: 'a'.repeat(5000) })).push).toHaveLength(1024);
  expect('push' in parseSettings('{"push":5}')).toBe(false);
});
