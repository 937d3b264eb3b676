// Every trick that hides text: what changes no pixel in Chromium is not given to a model.
import { expect, it } from 'vitest';

import { useBrowser } from '../support/page/app-fixture.ts';
import { playTricks, tricks } from './play-tricks.ts';

const chromium = useBrowser();

it('gives a model no text that a browser does not draw', { timeout: 240_000 }, async () => {
  const { drawn, shown } = await playTricks(chromium.browser, tricks);
  expect(shown).toEqual([]);
  // Most tricks work in this browser, so the comparison says tricksthing.
  expect(drawn).toBeLessThan(tricks.length / 3);
});
