// The operator's page before axe-core: every section and dialog, light and dark, wide and narrow; from right to left; and by
// the keyboard alone. With ADMIN_SCREENSHOTS=folder it leaves pictures there.
import path from 'node:path';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checkAccessibility, colourRules } from '../support/page/app-accessibility.ts';
import { desktop, launchAppBrowser, noFaults, phone } from '../support/page/app-page.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';
import {
  choose,
  goTo,
  type Operated,
  openOperated,
  row,
  signIn,
  startOperated,
} from '../support/page/operator-page.ts';

let browser: Browser;
let operated: Operated;
beforeAll(async () => {
  [browser, operated] = await Promise.all([launchAppBrowser(), startFilled()]);
});
afterAll(() => Promise.all([browser.close(), operated.close()]));

const places = [
  ...[
    'Overview',
    'Domains',
    'Sessions',
    'Deliveries',
    'Refusals',
    'Statistics',
    'API keys',
    'Passkeys',
    'Blocks',
  ],
  ...['Gmail accounts', 'Failed webhooks', 'Settings', 'Audit', 'Log'],
] as const;

/** Whether the page can be scrolled to the side. */
const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

async function startFilled(): Promise<Operated> {
  const operated = await startOperated();
  for (const name of ['one', 'two', 'a-rather-long-name-of-forty-characters1']) {
    await operated.mayfly.lend({ prefix: name });
  }
  const run = (...words: readonly string[]) => runMayfly(operated.folder, words);
  await run('domain', 'add', 'bad.example', '--refuse-dmarc-reject', '--unknown', 'accept-and-discard');
  await run('domain', 'disable', 'bad.example');
  // The first real domain retired it.
  await run('domain', 'add', 'mayfly.test');
  await run('block', 'add', 'prefix', 'bank*', '--note', 'phishing');
  await run('key', 'add', 'shop', '--rate', '30');
  return operated;
}

/** The dark page has the elements of the light one. */
async function expectWell(page: Page, state: string): Promise<void> {
  const violations = await checkAccessibility(page, state.startsWith('dark') ? colourRules : undefined);
  expect({ state, violations, isTooWide: await page.evaluate(isTooWide) }).toEqual({
    state,
    violations: [],
    isTooWide: false,
  });
  const pictures = process.env['ADMIN_SCREENSHOTS'];
  if (pictures === undefined) return;
  await page.screenshot({
    path: path.join(pictures, `${state.replaceAll(/\W+/g, '-')}.png`),
    fullPage: true,
  });
}

async function lookAtPlaces(page: Page, mode: string): Promise<void> {
  for (const place of places) {
    await goTo(page, place);
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await expectWell(page, `${mode} ${place}`);
  }
}

/** Opens each dialog, looks at it, and closes it. */
async function lookAtDialogs(page: Page, mode: string): Promise<void> {
  const openers: readonly (readonly [place: string, open: () => Promise<void>])[] = [
    ['Domains', () => page.getByRole('button', { name: 'Add domain' }).click()],
    ['Domains', () => choose(page, 'mayfly.test', 'DNS details')],
    ['Domains', () => choose(page, 'mayfly.test', 'Remove')],
    ['Sessions', () => row(page, 'one@').getByRole('button', { name: 'End session' }).click()],
    ['Passkeys', () => page.getByRole('button', { name: 'Add passkey' }).click()],
    ['API keys', () => page.getByRole('button', { name: 'Create key' }).click()],
    ['Blocks', () => page.getByRole('button', { name: 'Add block' }).click()],
    ['Gmail accounts', () => page.getByRole('button', { name: 'Add account' }).click()],
  ];
  for (const [at, [place, open]] of openers.entries()) {
    await goTo(page, place);
    await open();
    await page.getByRole('dialog').waitFor();
    await expectWell(page, `${mode} ${place} dialog ${at}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

const modes: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...desktop, colorScheme: 'light' },
  dark: { ...desktop, colorScheme: 'dark' },
  phone: { ...phone, colorScheme: 'light' },
};

it.each(Object.keys(modes))('has no fault of access in any state: %s', async (mode) => {
  const { page, faults } = await openOperated(browser, operated, modes[mode]);
  await expectWell(page, `${mode} sign-in`);
  await signIn(page, operated.key);
  await lookAtPlaces(page, mode);
  await lookAtDialogs(page, mode);
  expect(faults).toEqual(noFaults);
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
