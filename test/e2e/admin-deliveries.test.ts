// The records of mail on the operator's page in Chromium: deliveries and refusals searched, blocks made from their rows
// and lifted, and the kept statistics.
import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { launchAppBrowser, noFaults } from '../support/page/app-page.ts';
import {
  choose,
  goTo,
  type Operated,
  openOperated,
  press,
  row,
  signIn,
  useOperated,
} from '../support/page/operator-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchAppBrowser();
});
afterAll(() => browser.close());

async function open(operated: Operated) {
  const opened = await openOperated(browser, operated);
  await signIn(opened.page, operated.key);
  return opened;
}

async function send({ mayfly }: Operated, from: string, to: string): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: mayfly.smtpPort,
    ignoreTLS: true,
    name: 'mx.sender.example',
  });
  await comeAgain(() => transport.sendMail({ from, to, subject: 'telltale subject', text: 'telltale text' }));
}

async function filter(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(value);
}

it('sorts a table by the head of a column, by the keyboard too, and gives it its own order back', async () => {
  const operated = await useOperated({ MAYFLY_DOMAINS: 'a.example' });
  for (const name of ['fox9', 'ant', 'fox10']) {
    await send(operated, 'x@shop.example', (await operated.mayfly.lend({ prefix: name })).email);
  }
  const { page, faults } = await open(operated);
  await goTo(page, 'Deliveries');
  await row(page, 'fox10@').waitFor();
  const names = async (): Promise<string[]> =>
    (await page.getByRole('row').locator('strong').allInnerTexts()).map((text) => text.split('@')[0] ?? '');
  const latest = ['fox10', 'ant', 'fox9'];
  expect(await names()).toEqual(latest);
  const head = page.getByRole('columnheader', { name: 'Recipient' });
  await head.getByRole('button').click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  expect(await names()).toEqual(['ant', 'fox9', 'fox10']);
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort=descending]').waitFor();
  expect(await names()).toEqual(['fox10', 'fox9', 'ant']);
  await page.keyboard.press('Space');
  await page.locator('th[aria-sort]').waitFor({ state: 'detached' });
  expect(await names()).toEqual(latest);
  expect(faults).toEqual(noFaults);
});

it('searches deliveries, and blocks a sender’s domain from a row until it is lifted', async () => {
  const operated = await useOperated({ MAYFLY_DOMAINS: 'a.example' });
  const fox = await operated.mayfly.lend({ prefix: 'fox' });
  await send(operated, 'telltale@shop.example', fox.email);
  await send(operated, 'telltale@news.example', fox.email);
  await expect(send(operated, 'telltale@shop.example', 'nobody@a.example')).rejects.toThrow('550');
  const { page, faults } = await open(operated);
  await goTo(page, 'Deliveries');
  await row(page, 'news.example').waitFor();
  expect(await page.content()).not.toContain('telltale');
  await page.getByText('More filters').click();
  await filter(page, 'Sender’s domain', 'shop.example');
  await row(page, 'news.example').waitFor({ state: 'detached' });
  expect(await row(page, 'shop.example').count()).toBe(2);
  await filter(page, 'Reply', '5.1.1');
  await row(page, 'fox@a.example').waitFor({ state: 'detached' });
  await filter(page, 'Host', '192.0.2.0/24');
  await page.getByText('Nothing matches').waitFor();
  await filter(page, 'Host', 'sender.example');
  await row(page, 'nobody@a.example').waitFor();

  await choose(page, 'nobody@a.example', 'Block shop.example');
  await page.getByRole('dialog').getByLabel('Reason').fill('junk');
  await press(page, 'Add block');
  await row(page, 'nobody@a.example').getByText('Blocked').waitFor();
  await expect(send(operated, 'x@mail.shop.example', fox.email)).rejects.toThrow('550 5.7.1');
  await goTo(page, 'Blocks');
  await row(page, 'shop.example').filter({ hasText: 'junk' }).waitFor();

  await goTo(page, 'Refusals');
  const refused = row(page, 'mail.shop.example').filter({ hasText: 'blocked sender' });
  await refused.filter({ hasText: 'MAIL' }).waitFor();
  await page.getByRole('radio', { name: 'Connection' }).check();
  await refused.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'All' }).check();
  await refused.waitFor();

  await goTo(page, 'Deliveries');
  await choose(page, 'nobody@a.example', 'Lift the block of shop.example');
  await row(page, 'nobody@a.example').getByText('Blocked').waitFor({ state: 'detached' });
  await send(operated, 'x@mail.shop.example', fox.email);
  expect(faults).toEqual(noFaults);
});

it('shows what was counted, by hour and by day, why mail was refused, and whose it was', async () => {
  const operated = await useOperated({ MAYFLY_DOMAINS: 'a.example' });
  const fox = await operated.mayfly.lend({ prefix: 'fox' });
  await send(operated, 'x@shop.example', fox.email);
  await expect(send(operated, 'x@shop.example', 'nobody@a.example')).rejects.toThrow('550');
  const { page, faults } = await open(operated);
  await goTo(page, 'Statistics');
  for (const span of ['24 hours', '30 days', 'Year']) {
    await page.getByRole('radio', { name: span }).check();
    const received = page.getByRole('figure').filter({ hasText: 'Messages received' });
    await received.getByRole('strong').filter({ hasText: /^1$/ }).waitFor();
  }
  await page.getByRole('listitem').filter({ hasText: 'shop.example' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'recipient unknown' }).waitFor();
  await page.getByText('As a table').click();
  await expect.poll(() => page.getByRole('table', { name: 'Statistics' }).getByRole('row').count()).toBe(2);
  const metrics = async (): Promise<string> => (await fetch(`${operated.origin}/metrics`)).text();
  await expect.poll(metrics).toContain('\nmayfly_today_received 1\n');
  expect(await metrics()).toContain('\nmayfly_today_senders{domain="shop.example"} 1\n');
  expect(faults).toEqual(noFaults);
});
