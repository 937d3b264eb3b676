// Every section and dialog of the operator's page before axe-core: light, dark and on a phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';

import { launchAppBrowser } from '../support/page/app-page.ts';
import { type Operated, openOperated } from '../support/page/operator-page.ts';
import { lookAround, modes, startFilled } from './admin-states.ts';

let browser: Browser;
let operated: Operated;
beforeAll(async () => {
  [browser, operated] = await Promise.all([launchAppBrowser(), startFilled()]);
});
afterAll(() => Promise.all([browser.close(), operated.close()]));

it.each(Object.keys(modes))('has no fault of access in any state: %s', async (mode) => {
  await lookAround(await openOperated(browser, operated, modes[mode]), mode, operated, () => true);
});
