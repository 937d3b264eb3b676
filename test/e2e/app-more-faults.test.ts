// Regression tests for faults that a reader met: a service that freezes, names that look the same, rows that jump when
// they arrive.
import { expect, it, onTestFinished } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { noFaults, readAddress, useAppService } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test,second.test' });

it(
  'stops saying Live soon after the service froze, and says it again once it continues',
  { timeout: 300_000 },
  async () => {
    const service = await useAppService({ MAYFLY_DOMAINS: 'mayfly.test' });
    const { page } = await app.openPage({ at: service });
    await page.getByText('Live', { exact: true }).waitFor();
    const { child } = service.process();
    child.kill('SIGSTOP');
    onTestFinished(() => {
      child.kill('SIGCONT');
    });
    // The service sends something every 25 s; 32 s of silence count as a lost connection.
    await page.getByText('Reconnecting…').waitFor({ timeout: 90_000 });
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    child.kill('SIGCONT');
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
  },
);

it('distinguishes addresses with the same name on two domains', async () => {
  const { page, faults } = await app.open();
  for (const domain of ['@mayfly.test', '@second.test']) {
    await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('same-name');
    await page.getByRole('combobox', { name: 'Domain' }).selectOption({ label: domain });
    await page.getByRole('button', { name: 'Create address' }).click();
    await expect.poll(() => readAddress(page)).toBe(`same-name${domain}`);
  }
  const rail = page.getByRole('navigation', { name: 'Your addresses' });
  for (const domain of ['@mayfly.test', '@second.test']) {
    const entry = rail.getByRole('button', { name: `same-name ${domain}` });
    expect(await entry.count()).toBe(1);
    const shown = entry.locator('.address-domain');
    const [inner = 0, whole = 1] = await shown.evaluate(({ clientWidth, scrollWidth }) => [
      clientWidth,
      scrollWidth,
    ]);
    expect(whole).toBeLessThanOrEqual(inner);
  }
  expect(faults).toEqual(noFaults);
});
