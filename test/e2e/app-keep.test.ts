// Restoring addresses: from a pasted token or link, and from a saved file.
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { chooseInMenu, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test' });

async function open(): Promise<OpenedApp & { token: string }> {
  const opened = await app.open();
  const token = await opened.page.evaluate<string>(
    "JSON.parse(localStorage.getItem('mayfly.sessions')).current",
  );
  return { ...opened, token };
}

async function openKeep(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Restore or save addresses' }).click();
  await page.getByRole('textbox', { name: 'Token or link' }).waitFor();
}

it('opens an inbox by its token or a link to it, from the keyboard, and rejects anything else', async () => {
  const first = await open();
  const { token, email } = first;
  await app.service.send(email, { subject: 'Carried by hand' });
  const { page, faults } = await open();
  await openKeep(page);
  expect(await checkAccessibility(page)).toEqual([]);
  const field = page.getByRole('textbox', { name: 'Token or link' });
  for (const [text, words] of [
    ['mf_short', 'That’s neither a token nor a link to an inbox.'],
    [`mf_${'A'.repeat(43)}`, 'That address has ended or never existed.'],
  ] as const) {
    await field.fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  }
  await field.fill(` ${token}\n`);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /Carried by hand/ }).waitFor();
  expect(await readAddress(page)).toBe(email);
  expect(page.url()).toBe(app.service.url);

  await chooseInMenu(first.page, 'QR code');
  await first.page.getByRole('button', { name: 'Copy link' }).click();
  const link = await first.readClipboard();
  expect(link).toContain('#share=mfs_');
  await openKeep(page);
  await page.getByRole('textbox', { name: 'Token or link' }).fill(link);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('heading', { name: 'Shared with you' }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('says so when the service does not respond, and keeps the pasted text', async () => {
  const { token } = await open();
  const { page, context } = await open();
  await openKeep(page);
  await context.route('**/session', (route) => route.abort());
  const field = page.getByRole('textbox', { name: 'Token or link' });
  await field.fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'The service isn’t responding.' }).waitFor();
  expect(await field.inputValue()).toBe(token);
});

it('saves addresses to a file, with a warning, and restores them with their labels elsewhere', async () => {
  const { page, email, token, faults } = await open();
  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).fill('Shop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'New address' }).click();
  await expect.poll(() => readAddress(page)).not.toBe(email);
  await openKeep(page);
  await page.getByText('The file contains the keys to these inboxes.').waitFor();
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save 2 addresses' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/^mayfly-addresses-\d{4}-\d\d-\d\d\.json$/);
  const file = await download.path();
  const saved = JSON.parse(await readFile(file, 'utf8')) as { version: number; addresses: object[] };
  expect(saved).toMatchObject({ version: 1, addresses: [{ email, token, label: 'Shop' }, {}] });

  const elsewhere = await open();
  await openKeep(elsewhere.page);
  // One that is not an address, one unknown to the service, and one that is listed already.
  const addresses = [
    { token: 'nonsense' },
    ...saved.addresses,
    { token: `mf_${'B'.repeat(43)}`, email: 'gone@mayfly.test' },
    { token: elsewhere.token, email: 'not-what-the-file-says@mayfly.test' },
  ];
  await elsewhere.page.getByLabel('Choose a file…').setInputFiles({
    name: 'addresses.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ ...saved, addresses })),
  });
  await elsewhere.page.getByText('2 of 5 restored').waitFor();
  const results = await elsewhere.page.locator('.restored-entry').allInnerTexts();
  expect(results.map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'Entry 1 Not an address',
    `${email} Restored`,
    expect.stringMatching(/@mayfly.test Restored$/) as unknown,
    'gone@mayfly.test Ended',
    `${elsewhere.email} Already open`,
  ]);
  expect(await checkAccessibility(elsewhere.page)).toEqual([]);
  await elsewhere.page.keyboard.press('Escape');
  const rail = elsewhere.page.getByRole('navigation', { name: 'Your addresses' });
  await rail.getByRole('button', { name: `Shop ${email}` }).click();
  expect(await readAddress(elsewhere.page)).toBe(email);
  await elsewhere.page.reload();
  await expect.poll(() => rail.getByRole('button').count()).toBe(3);
  expect(app.service.process().log).not.toContain(token);
  expect(faults).toEqual(noFaults);
  expect(elsewhere.faults).toEqual(noFaults);
});

it('says what is wrong with a foreign file', async () => {
  const { page, faults } = await open();
  await openKeep(page);
  const about = { format: 'mayfly-addresses', addresses: [] };
  for (const [text, words] of [
    ['{"addresses":[]}', 'This file doesn’t contain saved addresses.'],
    [JSON.stringify({ ...about, version: 9 }), 'This file is from a newer version'],
    [
      JSON.stringify({ ...about, version: 1, addresses: Array.from({ length: 60 }, () => 1) }),
      'more than 50',
    ],
    ['x'.repeat(700_000), 'This file is too large'],
  ] as const) {
    await page.getByLabel('Choose a file…').setInputFiles({
      name: 'a.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
  }
  expect(faults).toEqual(noFaults);
});
