// The whole path for people without a pointer and for people who cannot see: get an address, receive a code, copy it,
// end.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import { noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp();

async function open(): Promise<OpenedApp> {
  const opened = await app.open();
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return opened;
}

const focused = `(() => {
  const element = document.activeElement;
  return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
})()`;

/** Presses Tab until the focused element has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const met: string[] = [];
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    const at = String(await page.evaluate(focused));
    if (name.test(at)) return;
    met.push(at);
  }
  throw new Error(`${name.source} is not reached by Tab, but ${met.join(' | ')}`);
}

it('completes with Tab, Enter and Escape alone', async () => {
  const { page, email, faults, readClipboard } = await open();
  await page.getByRole('button', { name: 'Settings', exact: true }).waitFor();
  await tabTo(page, /^Copy address$/);
  await page.keyboard.press('Enter');
  expect(await readClipboard()).toBe(email);
  await page.bringToFront();
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).waitFor();
  await tabTo(page, /Brook Bank/);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(focused)).toBe('Your verification code is 482 913');
  await tabTo(page, /^Copy code$/);
  await page.keyboard.press('Enter');
  expect(await readClipboard()).toBe('482913');
  await page.bringToFront();
  await page.keyboard.press('Escape');
  await page.locator('.message-title').waitFor({ state: 'detached' });
  await tabTo(page, /^More about this address$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^End address$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'End this address?' }).waitFor();
  await tabTo(page, /^End address$/);
  await page.keyboard.press('Enter');
  await page.getByText(`${email} has ended.`).waitFor();
  await expect.poll(() => readAddress(page)).not.toBe(email);
  expect(faults).toEqual(noFaults);
});

/** Returns what a screen reader gets of a part of the page: roles and names. */
function ariaSnapshot(page: Page, selector: string): Promise<string> {
  return page.locator(selector).first().ariaSnapshot();
}

it('is announced in words at every step', async () => {
  const { page, email, faults } = await open();
  const [name = '', domain = ''] = email.split('@');
  expect(await ariaSnapshot(page, '.inbox-head')).toMatch(
    new RegExp(`region "Your temporary address"[^]*${name}[^]*@${domain}[^]*button "Copy address"[^]*timer`),
  );
  expect(await ariaSnapshot(page, '.rail')).toMatch(
    /banner:[^]*heading "Mayfly" \[level=1\][^]*status[^]*Live/,
  );
  await page.getByRole('button', { name: 'Copy address' }).click();
  const liveRegion = page.locator('[aria-live=polite]');
  await expect.poll(() => liveRegion.innerText()).toBe('Address copied');
  await app.service.send(email, codeMail);
  await expect
    .poll(() => liveRegion.innerText())
    .toBe('New message from Brook Bank: Your verification code is 482 913. Code 482913.');
  expect(await ariaSnapshot(page, '.list')).toMatch(
    /region "Inbox, 1 message"[^]*button "Copy newest code 482913"[^]*link "(?:Unread )?Brook Bank/,
  );
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.getByRole('tab', { name: 'Message' }).waitFor();
  const message = await ariaSnapshot(page, '.message').then((text) => text.replaceAll('\\', ''));
  expect(message).toMatch(/article "Your verification code is 482 913"/);
  expect(message).toMatch(/tablist "Ways to show the message"[^]*tab "Message" \[selected\]/);
  expect(message).toMatch(/Your code[^]*482[^]*913[^]*button "Copy code"/);
  await page.getByRole('button', { name: 'Copy code', exact: true }).click();
  await expect.poll(() => liveRegion.innerText()).toBe('Code 482913 copied');
  await page.getByRole('button', { name: 'More about this address' }).click();
  expect(await ariaSnapshot(page, '.menu')).toMatch(
    /button "More about this address" \[expanded\][^]*button "End address"/,
  );
  await page.locator('.menu-list').getByRole('button', { name: 'End address' }).click();
  expect(await ariaSnapshot(page, 'dialog')).toMatch(
    /dialog "End this address\?"[^]*button "Keep it"[^]*button "End address"/,
  );
  await page.getByRole('dialog').getByRole('button', { name: 'End address' }).click();
  await page.getByRole('status').getByText(`${email} has ended.`).waitFor();
  expect(faults).toEqual(noFaults);
});
