// The service stops and restarts: the page says so, recovers by itself, and no message is missing or doubled.
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { useBrowser } from '../support/page/app-fixture.ts';
import { openAppPage, readAddress, useAppService, withServiceWorker } from '../support/page/app-page.ts';

const chromium = useBrowser();

function listSubjects(page: Page): Promise<string[]> {
  return page.locator('.row-subject').allTextContents();
}

it('misses nothing when the service is killed and restarted', { timeout: 300_000 }, async () => {
  const service = await useAppService();
  const { page, close } = await openAppPage(chromium.browser, service, withServiceWorker);
  onTestFinished(close);
  const email = await readAddress(page);
  await page.getByText('Live', { exact: true }).waitFor();
  const expected: string[] = [];
  for (let round = 1; round <= 3; round++) {
    await service.send(email, { subject: `Before ${round}` });
    await service.kill();
    await page.getByText('Reconnecting…').waitFor();
    await service.start();
    // Most likely sent before the page has reconnected.
    await service.send(email, { subject: `After ${round}` });
    expected.unshift(`After ${round}`, `Before ${round}`);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 30_000 });
    await expect.poll(() => listSubjects(page)).toEqual(expected);
  }
  expect(await readAddress(page)).toBe(email);
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('keeps showing its data while the service is away', async () => {
  const service = await useAppService();
  const { page, close } = await openAppPage(chromium.browser, service, withServiceWorker);
  onTestFinished(close);
  const email = await readAddress(page);
  await service.send(email, { subject: 'Still here', text: 'Words to keep.' });
  await page.getByRole('link', { name: /Still here/ }).click();
  await page.getByTestId('text').getByText('Words to keep.').waitFor();
  await service.kill();
  await page.getByText('Reconnecting…').waitFor();
  expect(await page.getByTestId('text').getByText('Words to keep.').isVisible()).toBe(true);
  expect(await readAddress(page)).toBe(email);
});

it('polls where streams do not get through', { timeout: 2 * 60_000 }, async () => {
  const service = await useAppService();
  const { page, context, close } = await openAppPage(chromium.browser, service, withServiceWorker);
  onTestFinished(close);
  // Like a proxy that waits for the end of a response.
  await context.route('**/events', () => undefined);
  await page.reload();
  await page.getByText('Checking regularly').waitFor({ timeout: 20_000 });
  const email = await readAddress(page);
  await service.send(email, { subject: 'Asked for' });
  await page.getByRole('link', { name: /Asked for/ }).waitFor({ timeout: 15_000 });
});
