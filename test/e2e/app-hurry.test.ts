// An impatient reader, and several addresses at once, under the service's own rate limits: the page never complains of
// too many requests, and mail is visible at once wherever it arrives.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { type AppPage, noFaults, readAddress, useAppService } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test', MAYFLY_LIMITS_RATE: 'on' });

interface Opened extends AppPage {
  readonly email: string;
  /** Number of responses by status. */
  readonly statuses: Map<number, number>;
}

async function open(at = app.service): Promise<Opened> {
  const opened = await app.openPage({ at });
  const statuses = new Map<number, number>();
  opened.page.on('response', (response) => {
    statuses.set(response.status(), (statuses.get(response.status()) ?? 0) + 1);
  });
  return { ...opened, email: await readAddress(opened.page), statuses };
}

async function addAddress(page: Page): Promise<string> {
  const before = await readAddress(page);
  await page.getByRole('button', { name: 'New address' }).click();
  await expect.poll(() => readAddress(page), { timeout: 40_000 }).not.toBe(before);
  await page.locator('dialog').waitFor({ state: 'detached' });
  return readAddress(page);
}

async function expectNoProblem(page: Page): Promise<void> {
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
  expect(await page.locator('.notice.is-error').count()).toBe(0);
}

it('reads and deletes faster than the service’s rates allow', { timeout: 300_000 }, async () => {
  // Half the default, so that the limit is surely reached.
  const settings = { MAYFLY_LIMITS_RATE: 'on', MAYFLY_LIMITS_REQUESTS_PER_MINUTE: '60' };
  const slow = await useAppService({ MAYFLY_DOMAINS: 'mayfly.test', ...settings });
  const { page, email, faults, statuses } = await open(slow);
  await page.getByText('Live', { exact: true }).waitFor();
  for (let at = 1; at <= 20; at++) await slow.send(email, { subject: `Mail ${at}`, text: 'Hello.' });
  await page.locator('[data-id="20"]').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  for (let round = 0; round < 30 && !statuses.has(429); round++) {
    for (let at = 1; at < 20; at++) await page.keyboard.press(round % 2 === 0 ? 'j' : 'k');
  }
  expect(statuses.has(429)).toBe(true);
  await page.keyboard.press('d');
  await expect.poll(() => page.locator('[data-id]').count()).toBe(19);
  await page.locator('[data-id] a').first().click();
  await page.getByTestId('text').getByText('Hello.').waitFor({ timeout: 60_000 });
  await expectNoProblem(page);
  expect(faults).toEqual(noFaults);
});

it(
  'creates one address after another, and waits by itself when that is too fast',
  { timeout: 300_000 },
  async () => {
    const { page, faults } = await open();
    const lent = new Set<string>();
    for (let at = 0; at < 12; at++) lent.add(await addAddress(page));
    expect(lent.size).toBe(12);
    await expectNoProblem(page);
    expect(faults).toEqual(noFaults);
  },
);

it('shows mail for other addresses without polling', { timeout: 180_000 }, async () => {
  const { page, email: first, faults } = await open();
  const [second, third] = [await addAddress(page), await addAddress(page)];
  await page.getByText('Live', { exact: true }).waitFor();
  await page.route('**/check-mail*', (route) => route.abort());
  const switcher = page.getByRole('navigation', { name: 'Your addresses' });
  for (const email of [first, second, third]) {
    const begunAt = performance.now();
    await app.service.send(email, { subject: `For ${email}` });
    const entry = switcher.getByRole('button').filter({ hasText: email.split('@')[0]! });
    await entry.getByText('1 unread').waitFor({ state: 'attached' });
    process.stdout.write(`beside: seen after ${(performance.now() - begunAt).toFixed(0)} ms\n`);
  }
  expect(await page.title()).toBe('(3) Mayfly');
  expect(faults).toEqual(noFaults);
});
