// The operator's page of the built service in Chromium, signed in to. For test/e2e/admin-*.test.ts.

import { randomBytes } from 'node:crypto';

import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

import { type AppPage, desktop, openAppPage } from './app-page.ts';
import { createDataFolder, type MayflyProcess, runMayfly, startMayfly } from '../service/mayfly-process.ts';

export interface Operated {
  readonly mayfly: MayflyProcess;
  readonly folder: string;
  readonly key: string;
  readonly url: string;
  readonly origin: string;
  close(): Promise<void>;
}

/** Gmail accounts are kept, and their mail is not fetched: the node has not that role. */
export async function startOperated(settings: Readonly<Record<string, string>> = {}): Promise<Operated> {
  const { path: folder, remove } = await createDataFolder();
  const { stdout, stderr } = await runMayfly(folder, ['key', 'add', 'ops', '--admin']);
  const [key = ''] = stdout.split('\n');
  if (key === '') throw new Error(`No key: ${stderr}`);
  const mayfly = await startMayfly(folder, {
    MAYFLY_ADMIN_PORT: '0',
    MAYFLY_ROLES: 'http,smtp,jobs',
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_SECRET_KEY: randomBytes(32).toString('hex'),
    ...settings,
  });
  const origin = mayfly.adminOrigin ?? '';
  const close = async (): Promise<void> => {
    await mayfly.stop();
    await remove();
  };
  return { mayfly, folder, key, url: `${origin}/admin`, origin, close };
}

/** Starts it for one test, closed at its end. */
export async function useOperated(settings: Readonly<Record<string, string>> = {}): Promise<Operated> {
  const operated = await startOperated(settings);
  onTestFinished(operated.close);
  return operated;
}

export async function openOperated(
  browser: Browser,
  operated: Operated,
  options: BrowserContextOptions = desktop,
): Promise<AppPage> {
  const opened = await openAppPage(browser, operated, options);
  onTestFinished(opened.close);
  return opened;
}

export async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('Admin key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signIn(page: Page, key: string): Promise<void> {
  // A refusal of before is still shown until the answer comes.
  const [known = ''] = await problemsOf(page).allTextContents();
  await giveKey(page, key);
  const overview = page.getByRole('heading', { level: 1, name: 'Overview' });
  const problem = problemsOf(page).filter(known === '' ? {} : { hasNotText: known });
  await overview.or(problem).first().waitFor();
  const [words] = await problem.allTextContents();
  if (words !== undefined) throw new Error(`Not signed in: ${words}`);
}

function problemsOf(page: Page): Locator {
  return page.locator('.sign-in .problem').filter({ hasText: /\S/ });
}

/** By its link among the sections. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: place }).click();
  await page.getByRole('heading', { level: 1, name: place }).waitFor();
}

export function row(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text });
}

/** In the menu of a row. */
export async function choose(page: Page, what: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${what}`, exact: true }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
}

/** In the dialog that is open. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

export async function waitForStatus(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).first().waitFor();
}
