// The first visit: an address without a question, kept in this browser, with one request to one origin.
import { expect, it, onTestFinished } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { chooseInMenu, noFaults, readAddress, useAppService } from '../support/page/app-page.ts';

const app = useApp({}, { hasServiceWorker: true });

it('shows an address at once, and copies it with one tap', async () => {
  const { page, faults, readClipboard, email } = await app.open();
  expect(email).toMatch(/^[a-z]+\.[a-z]+\d\d@mayfly\.test$/);
  await page.getByRole('button', { name: 'Copy address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await readClipboard()).toBe(email);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' });
  // The first circle is the same button.
  await page.evaluate('navigator.clipboard.writeText("")');
  await page.getByRole('button', { name: 'Copy the address' }).click();
  expect(await readClipboard()).toBe(email);
  expect(await page.locator('.ghost').count()).toBe(0);
  expect(await page.getByText(/^Ends in (59|1:00):/).isVisible()).toBe(true);
  expect(await page.title()).toBe('Mayfly');
  expect(faults).toEqual(noFaults);
});

it('requests one address, and none when it is opened again', async () => {
  const context = await app.browser.newContext();
  onTestFinished(() => context.close());
  const made: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST') made.push(new URL(request.url()).pathname);
  });
  const page = await context.newPage();
  await page.goto(app.service.url);
  const email = await readAddress(page);
  await page.reload();
  expect(await readAddress(page)).toBe(email);
  const second = await context.newPage();
  await second.goto(app.service.url);
  expect(await readAddress(second)).toBe(email);
  expect(made).toEqual(['/create-session']);
});

it('says why mail may not be here, from the delivery log', async () => {
  const small = await useAppService({ MAYFLY_SMTP_MESSAGE_MAX_BYTES: '65536' });
  const { page, faults } = await app.openPage({ at: small });
  const email = await readAddress(page);
  await page.clock.install();
  await page.reload();
  await page.getByText('Listening. Mail shows here at once.').waitFor();
  const log = page.getByText('No server has tried to deliver to this address yet.');
  await page.clock.runFor(50_000);
  expect(await log.count()).toBe(0);
  expect(await page.getByText('Not seeing your mail?').count()).toBe(0);
  await page.clock.runFor(11_000);
  await log.waitFor();
  await expect(small.send(email, { subject: 'Big', text: 'x'.repeat(200_000) })).rejects.toThrow();
  await chooseInMenu(page, 'Deliveries');
  await page.getByText('Refused: the message is too large.').waitFor();
  expect(await page.getByText('Reply: 552 5.3.4').isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('says what is wrong when no address is available, and continues by itself', async () => {
  const context = await app.browser.newContext({ locale: 'en-US' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.route('**/create-session', (route) => route.abort());
  await page.goto(app.service.url);
  await page.getByText('The service isn’t responding. Check your connection and try again.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.unroute('**/create-session');
  expect(await readAddress(page)).toMatch(/@mayfly\.test$/);
});
