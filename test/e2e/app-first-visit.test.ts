// The first visit: an address before anything is asked, kept in this browser, from one request and one origin.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import {
  type AppService,
  chooseInMenu,
  launchAppBrowser,
  noFaults,
  openAppPage,
  readAddress,
  startAppService,
  useAppService,
} from '../support/app-page.ts';

let browser: Browser;
let service: AppService;
beforeAll(async () => {
  browser = await launchAppBrowser();
  service = await startAppService();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

it('shows an address at once, and copies it at one tap', async () => {
  const { page, faults, readClipboard, close } = await openAppPage(browser, service);
  onTestFinished(close);
  const email = await readAddress(page);
  expect(email).toMatch(/^[a-z0-9]{8,}@mayfly\.test$/);
  await page.getByRole('button', { name: 'Copy address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await readClipboard()).toBe(email);
  expect(await page.getByText(/^Ends in (59|1:00):/).isVisible()).toBe(true);
  expect(await page.title()).toBe('Mayfly');
  expect(faults).toEqual(noFaults);
});

it('asks for one address, and for none when it is opened again', async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const made: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST') made.push(new URL(request.url()).pathname);
  });
  const page = await context.newPage();
  await page.goto(service.url);
  const email = await readAddress(page);
  await page.reload();
  expect(await readAddress(page)).toBe(email);
  const second = await context.newPage();
  await second.goto(service.url);
  expect(await readAddress(second)).toBe(email);
  expect(made).toEqual(['/create-session']);
});

it('says why mail may not be here, from the delivery log', async () => {
  const small = await useAppService({ MAYFLY_SMTP_MESSAGE_MAX_BYTES: '65536' });
  const { page, faults, close } = await openAppPage(browser, small);
  onTestFinished(close);
  const email = await readAddress(page);
  await page.getByText('No server has tried to deliver to this address yet.').waitFor();
  await expect(small.send(email, { subject: 'Big', text: 'x'.repeat(200_000) })).rejects.toThrow();
  await chooseInMenu(page, 'Deliveries');
  await page.getByText('Refused: the message is too large.').waitFor();
  expect(await page.getByText('Answer: 552 5.3.4').isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('says what is wrong when there is no address to be had, and goes on by itself', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.route('**/create-session', (route) => route.abort(), { times: 2 });
  await page.goto(service.url);
  await page.getByText('The service does not answer. Check the connection and try again.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await readAddress(page)).toMatch(/@mayfly\.test$/);
});
