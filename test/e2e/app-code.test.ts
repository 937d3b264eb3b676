// The main use: a message arrives while the page is open, and its code or link is seen and used.
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { attachmentMail, codeMail, linkMail } from '../support/page/app-mails.ts';
import { noFaults } from '../support/page/app-page.ts';

const app = useApp();

async function open(): Promise<OpenedApp> {
  const opened = await app.open();
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return opened;
}

it('shows a code the moment it arrives and copies it with one tap', async () => {
  const { page, email, faults, readClipboard } = await open();
  await app.service.send(email, codeMail);
  const copy = page.getByRole('button', { name: 'Copy newest code 482913' });
  await copy.waitFor();
  await expect.poll(() => page.title()).toBe('482 913 · Mayfly');
  await expect
    .poll(() => page.locator('[aria-live]').allTextContents())
    .toContain('New message from Brook Bank: Your verification code is 482 913. Code 482913.');
  await copy.click();
  await expect.poll(() => page.locator('[aria-live=polite]').innerText()).toBe('Code 482913 copied');
  expect(await readClipboard()).toBe('482913');
  // A code that was copied is needed no longer.
  await expect.poll(() => page.title()).toBe('Mayfly');
  expect(faults).toEqual(noFaults);
});

it('shows the code first in the message, which is then read', async () => {
  const { page, email, faults, readClipboard } = await open();
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  await page.getByRole('button', { name: 'Copy code', exact: true }).click();
  expect(await readClipboard()).toBe('482913');
  await expect.poll(() => page.title()).toBe('Mayfly');
  expect(new URL(page.url()).hash).toBe('#message-1');
  expect(faults).toEqual(noFaults);
});

it('keeps remote images out until requested, and the frame without rights', async () => {
  const { page, email, faults } = await open();
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.getByText('1 remote image blocked.').waitFor();
  const frame = page.locator('iframe');
  expect(await frame.getAttribute('sandbox')).toBe(
    'allow-scripts allow-popups allow-popups-to-escape-sandbox',
  );
  await frame.contentFrame().getByRole('heading', { name: 'Confirm it is you' }).waitFor();
  expect(faults).toEqual(noFaults);
  await page.getByRole('button', { name: 'Load images' }).click();
  await expect.poll(() => faults.foreign).toEqual(['https://track.brookbank.example/open.gif']);
  expect(await page.getByText('1 remote image blocked.').isVisible()).toBe(false);
  expect(faults.violations).toEqual([]);
});

it('shows a verification link with its host, to open or to copy', async () => {
  const { page, email, faults, readClipboard } = await open();
  const url = 'https://paperkites.example/verify-email?token=4f9a1c77e0b24d6b';
  await app.service.send(email, linkMail);
  await page.getByRole('link', { name: /Paper Kites/ }).click();
  await page.getByText('paperkites.example', { exact: true }).waitFor();
  const link = page.getByRole('link', { name: 'Open', exact: true });
  expect(await link.getAttribute('href')).toBe(url);
  expect(await link.getAttribute('rel')).toContain('noopener noreferrer');
  await page.getByRole('button', { name: 'Copy link' }).click();
  expect(await readClipboard()).toBe(url);
  expect(faults).toEqual(noFaults);
});

it('warns of a link whose name has look-alike letters or names another site', async () => {
  const { page, email, faults } = await open();
  await app.service.send(email, {
    subject: 'Verify your account',
    html: '<p>Please verify: <a href="https://www.\u0430pple.com/verify?t=1">https://www.apple.com/verify</a></p>',
  });
  await page.getByRole('link', { name: /Verify your account/ }).click();
  await page.getByText('www.xn--pple-43d.com', { exact: true }).waitFor();
  expect(await page.getByText('contains letters that pass for others').isVisible()).toBe(true);
  expect(await page.getByText('The message names one site, but the link leads to another.').isVisible()).toBe(
    true,
  );
  expect(faults).toEqual(noFaults);
});

it('shows text, header fields and the raw message, and saves message and attachments', async () => {
  const { page, email, faults } = await open();
  await app.service.send(email, attachmentMail);
  await page.getByRole('link', { name: /Tickets for Saturday/ }).click();
  await page.getByTestId('text').getByText('See you at seven.').waitFor();
  await page.getByRole('tab', { name: 'Headers' }).click();
  await page.getByRole('definition').filter({ hasText: 'Tickets for Saturday' }).waitFor();
  await page.getByRole('tab', { name: 'Raw' }).click();
  await page.getByText('Return-Path: <nora@lindqvist.example>').waitFor();
  const attachment = page.waitForEvent('download');
  await page.getByRole('link', { name: /tickets\.pdf/ }).click();
  expect((await attachment).suggestedFilename()).toBe('tickets.pdf');
  const message = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await message).suggestedFilename()).toBe('message-1.eml');
  expect((await message).url()).not.toContain('mf_');
  expect(faults).toEqual(noFaults);
});
