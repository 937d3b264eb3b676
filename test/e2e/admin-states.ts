// The states of the operator's page, and how axe-core looks at them. With ADMIN_SCREENSHOTS=folder it leaves pictures there.
import path from 'node:path';

import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

import { checkAccessibility, colourRules } from '../support/page/app-accessibility.ts';
import { type AppPage, desktop, noFaults, phone } from '../support/page/app-page.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';
import { choose, goTo, type Operated, row, signIn, startOperated } from '../support/page/operator-page.ts';

export const places = [
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
export const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

export async function startFilled(): Promise<Operated> {
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
export async function expectWell(page: Page, state: string): Promise<void> {
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

type Choose = (at: number) => boolean;

async function lookAtPlaces(page: Page, mode: string, isLookedAt: Choose): Promise<void> {
  for (const place of places.filter((_, at) => isLookedAt(at))) {
    await goTo(page, place);
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await expectWell(page, `${mode} ${place}`);
  }
}

/** Opens each dialog, looks at it, and closes it. */
async function lookAtDialogs(page: Page, mode: string, isLookedAt: Choose): Promise<void> {
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
    if (!isLookedAt(at)) continue;
    await goTo(page, place);
    await open();
    await page.getByRole('dialog').waitFor();
    await expectWell(page, `${mode} ${place} dialog ${at}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

export const modes: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...desktop, colorScheme: 'light' },
  dark: { ...desktop, colorScheme: 'dark' },
  phone: { ...phone, colorScheme: 'light' },
};

/** Signs in and looks at each place and dialog that is chosen by its number. */
export async function lookAround(
  opened: AppPage,
  mode: string,
  { key }: Operated,
  isLookedAt: Choose,
): Promise<void> {
  const { page, faults } = opened;
  await expectWell(page, `${mode} sign-in`);
  await signIn(page, key);
  await lookAtPlaces(page, mode, isLookedAt);
  await lookAtDialogs(page, mode, isLookedAt);
  expect(faults).toEqual(noFaults);
}
