// Regression tests for faults of the page, each as it was found.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { attachmentMail, codeMail } from '../support/page/app-mails.ts';
import { type AppPage, desktop, noFaults, readAddress, useAppService } from '../support/page/app-page.ts';

const app = useApp({}, { hasServiceWorker: true });

async function open(options = desktop): Promise<AppPage & { email: string }> {
  const opened = await app.openPage(options);
  return { ...opened, email: await readAddress(opened.page) };
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate('document.activeElement?.textContent ?? ""').then(String);
}

it('prints a long message on as many pages as it takes, and the list as a list', async () => {
  const { page, email, faults } = await open();
  const html = '<p>A line of a long letter, of some length itself.</p>'.repeat(200);
  await app.service.send(email, { subject: 'A long letter', html });
  await page.getByRole('link', { name: /A long letter/ }).waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.row').first().isVisible()).toBe(true);
  expect(await page.getByText('Select a message to read it.').isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await page.getByRole('link', { name: /A long letter/ }).click();
  const frame = page.locator('iframe');
  await expect.poll(async () => (await frame.boundingBox())?.height ?? 0).toBeGreaterThan(5000);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThanOrEqual(6);
  expect(faults).toEqual(noFaults);
});

it('offers images only, which it can load', async () => {
  const { page, email, faults } = await open();
  const font = '<style>@import url("https://fonts.example/css");</style><p>Set in a font of theirs.</p>';
  await app.service.send(email, { subject: 'A font', html: font });
  await page.getByRole('link', { name: /A font/ }).click();
  await page.locator('iframe').contentFrame().getByText('Set in a font').waitFor();
  expect(await page.getByRole('button', { name: 'Load images' }).count()).toBe(0);
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.getByText('1 remote image blocked.').waitFor();
  expect(faults).toEqual(noFaults);
});

it('says at once that the device is offline', async () => {
  const { page, context } = await open();
  await page.getByText('Live', { exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByText('Offline', { exact: true }).waitFor();
  await context.setOffline(false);
  await page.getByText('Offline', { exact: true }).waitFor({ state: 'detached' });
});

it('moves through the list with arrow keys', async () => {
  const { page, email, faults } = await open();
  for (const subject of ['One', 'Two', 'Three']) await app.service.send(email, { subject });
  await page.getByRole('link', { name: /One/ }).waitFor();
  await page.getByRole('link', { name: /Three/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focusedText(page)).toContain('Two');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focusedText(page)).toContain('One');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focusedText(page)).toContain('Two');
  expect(faults).toEqual(noFaults);
});

it('keeps subject and sender of a listed message without the service, and says so when nothing is listed', async () => {
  const away = await useAppService();
  const { page } = await app.openPage({ at: away });
  const email = await readAddress(page);
  await away.send(email, attachmentMail);
  await page.getByRole('link', { name: /Nora/ }).waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await away.kill();
  await page.getByRole('link', { name: /Nora/ }).click();
  await page.getByRole('alert').getByText('The service isn’t responding.').waitFor();
  expect(await page.getByRole('heading', { name: 'Tickets for Saturday' }).isVisible()).toBe(true);
  expect(await page.locator('.origin-sender').innerText()).toBe('Nora Lindqvist');
  await page.goBack();
  await page.reload();
  await page.getByText('The service isn’t responding. Nothing is lost').waitFor();
});

it('blames the name only for what is wrong with the name', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await page.route('**/create-session', (route) => route.abort());
  await page.getByRole('button', { name: 'Create address' }).click();
  await page.getByRole('dialog').getByText('The service isn’t responding.').waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('false');
  await page.unroute('**/create-session');
  await name.fill('no..dots');
  await page.getByRole('button', { name: 'Create address' }).click();
  await page.getByText('This name can’t be used').waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
});

it('shows a row as new only once', async () => {
  const { page, email, faults } = await open({ ...desktop, reducedMotion: 'no-preference' });
  await page.getByText('Live', { exact: true }).waitFor();
  await app.service.send(email, attachmentMail);
  await page.locator('.row').waitFor();
  await page.locator('.row.is-fresh').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Nora/ }).click();
  await page.keyboard.press('Escape');
  expect(await page.locator('.row.is-fresh').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('uses one kind of digits in Arabic', async () => {
  const { page, email, faults } = await open({ ...desktop, locale: 'ar-EG' });
  await app.service.send(email, attachmentMail);
  await page.locator('.row-link').click();
  await page.locator('.file').first().waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/);
  expect(faults).toEqual(noFaults);
});

it('names a file’s type in a word, and shows one notice at a time', async () => {
  const { page, email, faults } = await open();
  for (const subject of ['One', 'Two']) await app.service.send(email, { subject });
  await app.service.send(email, attachmentMail);
  await page.getByRole('link', { name: /Nora/ }).click();
  const file = page.getByRole('link', { name: /tickets\.pdf/ });
  expect(await file.innerText()).toMatch(/PDF, 15\sB/);
  expect(await page.locator('.attachments').innerText()).not.toContain('application/');
  // Pictures are shown, documents are not.
  const widths = `[...document.querySelectorAll('.file-picture')].map(({ naturalWidth }) => naturalWidth)`;
  await expect.poll(() => page.evaluate(widths)).toEqual([1]);
  for (let at = 0; at < 3; at++) await page.getByRole('button', { name: 'Delete' }).click();
  await page.locator('.row').waitFor({ state: 'detached' });
  expect(await page.locator('.notice').count()).toBe(1);
  expect(faults).toEqual(noFaults);
});

it('colours the browser’s bar like the chosen theme', async () => {
  const { page } = await open({ ...desktop, colorScheme: 'light' });
  const colours = (): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('meta[name="theme-color"]')].map(({ content }) => content)`);
  expect(await colours()).toEqual(['#f6f6f3', '#0f1211']);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await colours()).toEqual(['#0f1211', '#0f1211']);
});

it('shows the selection by a border with system colours', async () => {
  const { page, email } = await open();
  await app.service.send(email, attachmentMail);
  await page.getByRole('link', { name: /Nora/ }).click();
  await page.getByRole('tab', { name: 'Text' }).waitFor();
  await page.emulateMedia({ forcedColors: 'active' });
  const border = (isSelected: boolean): Promise<unknown> =>
    page.evaluate(
      `getComputedStyle(document.querySelector('.tab[aria-selected=${String(isSelected)}]')).borderTopWidth`,
    );
  await expect.poll(async () => [await border(true), await border(false)]).toEqual(['2px', '0px']);
});
