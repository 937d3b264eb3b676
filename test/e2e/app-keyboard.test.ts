// Everything by keyboard alone: shortcuts, focus management, and keys left alone while typing.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import { closeDialog, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp();

async function openWithMail(): Promise<OpenedApp> {
  const opened = await app.open();
  const { email } = opened;
  await app.service.send(email, { subject: 'Older', text: 'An older message.' });
  await app.service.send(email, codeMail);
  await opened.page.getByRole('link', { name: /Older/ }).waitFor();
  // It opens by itself.
  await opened.page.locator('.message-title').waitFor();
  await opened.page.keyboard.press('Escape');
  await opened.page.locator('.message-title').waitFor({ state: 'detached' });
  return opened;
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate('document.activeElement?.textContent ?? ""').then(String);
}

it('moves through the list, reads, copies, deletes and undoes', async () => {
  const { page, email, faults, readClipboard } = await openWithMail();
  const { keyboard } = page;
  await keyboard.press('c');
  await page.getByText('Address copied').waitFor();
  expect(await readClipboard()).toBe(email);
  await page.bringToFront();
  await keyboard.press('j');
  await expect.poll(() => focusedText(page)).toContain('Brook Bank');
  await keyboard.press('j');
  await expect.poll(() => focusedText(page)).toContain('Older');
  await keyboard.press('k');
  await expect.poll(() => focusedText(page)).toContain('Brook Bank');
  await keyboard.press('Enter');
  await expect.poll(() => focusedText(page)).toBe('Your verification code is 482 913');
  await keyboard.press('c');
  await page.getByText('Code 482913 copied').waitFor();
  expect(await readClipboard()).toBe('482913');
  await page.bringToFront();
  await keyboard.press('j');
  await page.getByTestId('text').getByText('An older message.').waitFor();
  await keyboard.press('Escape');
  await expect.poll(() => focusedText(page)).toContain('Older');
  await keyboard.press('d');
  await expect.poll(() => page.getByRole('link', { name: /Older/ }).count()).toBe(0);
  await expect.poll(() => focusedText(page)).toContain('Brook Bank');
  await keyboard.press('u');
  await page.getByRole('link', { name: /Older/ }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('opens the sheet and the form, traps the focus in them and returns it', async () => {
  const { page, faults } = await openWithMail();
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Copy address' }).focus();
  await keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await closeDialog(page);
  await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Copy address');
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  await page.getByRole('dialog', { name: 'New address' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).focus();
  // Letters are text here.
  const name = `jkcd-${Date.now()}`;
  await keyboard.type(name);
  await keyboard.press('Enter');
  await expect.poll(() => readAddress(page)).toBe(`${name}@mayfly.test`);
  await keyboard.press('s');
  await expect.poll(() => readAddress(page)).not.toContain(name);
  expect(faults).toEqual(noFaults);
});

/** Presses `?` at the moment when the last dialog closes, before the browser has sent its `close` event. */
const pressOnceClosed = `new MutationObserver((_changes, observer) => {
  if (document.querySelector('dialog[open]')) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }));
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })`;

it('accepts a key as soon as a dialog is closed', async () => {
  const { page, faults } = await openWithMail();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await page.evaluate(pressOnceClosed);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(1);
  await closeDialog(page);
  await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Settings');
  expect(faults).toEqual(noFaults);
});

it('reaches every part by Tab, the skip link first', async () => {
  const { page, faults } = await openWithMail();
  const reached: string[] = [];
  for (let step = 0; step < 16; step++) {
    await page.keyboard.press('Tab');
    // After the last part the focus is nowhere, which a page shows as its body, with every text in it.
    const name = await page.evaluate(`(() => {
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) return '';
      return activeElement.getAttribute('aria-label') ?? activeElement.textContent;
    })()`);
    reached.push(String(name));
  }
  expect(reached[0]).toBe('Skip to messages');
  for (const name of ['Settings', 'Extend', 'Copy address', 'More about this address', 'New address']) {
    expect(reached).toContain(name);
  }
  expect(reached).toContain('Copy newest code 482913');
  // The list is one stop; arrows move in it.
  expect(new Set(reached.filter((name) => /Older|Brook Bank/.test(name))).size).toBe(1);
  // The skip link leads past the address and leaves the location unchanged.
  await page.getByRole('link', { name: 'Skip to messages' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Search messages');
  expect(page.url()).toBe(app.service.url);
  expect(faults).toEqual(noFaults);
});

it('ignores single keys when they are turned off', async () => {
  const { page, faults } = await openWithMail();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Single-key shortcuts').uncheck();
  await closeDialog(page);
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  await page.getByRole('link', { name: /Older/ }).click();
  await page.getByTestId('text').getByText('An older message.').waitFor();
  await page.keyboard.press('d');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /Older/ }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByText('Message deleted').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});
