import { expect, it } from 'vitest';

import { parseSettings } from './settings.ts';

const defaults = { theme: 'system', sound: false, notify: false, keys: true };

it.each([null, '', '{', 'null', '5', '[]', '{"theme":"url(x)","sound":"yes","keys":0}'])(
  'takes the defaults for %j',
  (text) => {
    expect(parseSettings(text)).toEqual(defaults);
  },
);

it('reads what was chosen', () => {
  const chosen = { theme: 'dark', sound: true, notify: true, keys: false };
  expect(parseSettings(JSON.stringify(chosen))).toEqual(chosen);
});
