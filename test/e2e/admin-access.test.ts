// The operator's page before axe-core: every section and dialog in light, half of them each in dark and on a phone, and
// all of those in admin-access.long.test.ts; from right to left; and by the keyboard alone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launchAppBrowser, noFaults } from '../support/page/app-page.ts';
import { goTo, type Operated, openOperated, signIn } from '../support/page/operator-page.ts';
import { expectWell, isTooWide, lookAround, modes, places, startFilled } from './admin-states.ts';

let browser: Browser;
let operated: Operated;
beforeAll(async () => {
  [browser, operated] = await Promise.all([launchAppBrowser(), startFilled()]);
});
afterAll(() => Promise.all([browser.close(), operated.close()]));

it.each<[string, (at: number) => boolean]>([
  ['light', () => true],
  ['dark', (at) => at % 2 === 0],
  ['phone', (at) => at % 2 === 1],
])('has no fault of access in its states: %s', async (mode, isLookedAt) => {
  const opened = await openOperated(browser, operated, modes[mode]);
  await lookAround(opened, mode, operated, isLookedAt);
});

it('stands from right to left as well, and with colours of the system’s own', async () => {
  const { page } = await openOperated(browser, operated);
  await signIn(page, operated.key);
  await page.evaluate("document.documentElement.dir = 'rtl'");
  for (const place of places) {
    await goTo(page, place);
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    expect({ place, isTooWide: await page.evaluate(isTooWide) }).toEqual({ place, isTooWide: false });
  }
  await expectWell(page, 'rtl');
  const [rail, main] = await Promise.all(
    ['.console-rail', '.console-main'].map((selector) => page.locator(selector).boundingBox()),
  );
  expect(rail!.x).toBeGreaterThan(main!.x);
  await page.emulateMedia({ forcedColors: 'active' });
  await expectWell(page, 'forced colours');
});

it('is used by the keyboard alone', async () => {
  const { page, faults } = await openOperated(browser, operated);
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
  // The field has the focus from the start.
  await page.keyboard.type(operated.key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).focus();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Domains');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
  await page.locator('#place-title:focus').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Add domain');
  await page.getByRole('button', { name: 'Actions for mayfly.test' }).waitFor();
  // The heads that sort come before the rows.
  const seen: string[] = [];
  do {
    await page.keyboard.press('Tab');
    seen.push(await focused());
  } while (seen.length < 5 && seen.at(-1) !== 'Actions for mayfly.test');
  expect(seen).toEqual(['Domain', 'Live sessions', 'Last mail', 'Actions for mayfly.test']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('Edit rules');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rules of mayfly.test' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Actions for mayfly.test');
  expect(faults).toEqual(noFaults);
});
