// Hands: swipes on a phone, one Tab stop for the list, what opens by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { attachmentMail, codeMail } from '../support/page/app-mails.ts';
import { closeDialog, noFaults, phone, readAddress } from '../support/page/app-page.ts';

const app = useApp();

/**
 * Moves a finger over the row, as the browser reports it. It rests before it leaves: after a flick faster than any
 * finger's, Chromium takes the next tap as one that stops the flick, and clicks nothing.
 */
async function swipe(page: Page, name: RegExp, by: number): Promise<void> {
  const touch = await drag(page, name, by);
  await sleep(100);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Leaves the finger where it is. */
async function drag(page: Page, name: RegExp, by: number): Promise<CDPSession> {
  const box = (await page.getByRole('listitem').filter({ hasText: name }).boundingBox())!;
  const [x, y] = [box.x + box.width / 2 - by / 2, box.y + box.height / 2];
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (const share of [0.2, 0.5, 0.99, 1]) {
    if (share === 1) await sleep(100);
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: x + by * share, y }],
    });
  }
  return touch;
}

async function openPhone(dir: 'ltr' | 'rtl' = 'ltr'): Promise<OpenedApp> {
  const opened = await app.open({ ...phone, locale: dir === 'rtl' ? 'ar-EG' : 'en-US' });
  const { page, email } = opened;
  await app.service.send(email, { subject: 'First' });
  await app.service.send(email, { subject: 'Second' });
  await page.getByRole('link', { name: /First/ }).waitFor();
  await page.getByRole('link', { name: /Second/ }).waitFor();
  return opened;
}

it('deletes by a swipe towards the start of the line, and undoes it', async () => {
  const { page, faults } = await openPhone();
  const row = page.getByRole('link', { name: /Second/ });
  await swipe(page, /Second/, -40);
  expect(await row.isVisible()).toBe(true);
  await swipe(page, /Second/, -220);
  await row.waitFor({ state: 'detached' });
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('button', { name: 'Undo' }).tap();
  await row.waitFor();
  expect(faults).toEqual(noFaults);
});

it('marks as read and unread by a swipe towards its end, and never while scrolling', async () => {
  const { page, faults } = await openPhone();
  const unread = page.getByRole('link', { name: /Unread.*First/ });
  await swipe(page, /First/, 220);
  await unread.waitFor({ state: 'detached' });
  await swipe(page, /First/, 220);
  await unread.waitFor();
  expect(await page.locator('.row.is-swiped').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('swipes the other way in a language from right to left', async () => {
  const { page, faults } = await openPhone('rtl');
  await swipe(page, /Second/, 220);
  await page.getByRole('link', { name: /Second/ }).waitFor({ state: 'detached' });
  expect(await page.getByRole('link', { name: /First/ }).isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

/** The row under the finger, what is said beside it, and by how much the page has become too wide. */
const readSwiped = `(() => {
  const row = document.querySelector('.row.is-swiped');
  const beside = getComputedStyle(row, '::after');
  return {
    by: Math.round(row.getBoundingClientRect().left),
    room: Math.round(parseFloat(beside.inlineSize)),
    words: beside.content,
    isWide: document.documentElement.scrollWidth > innerWidth,
  };
})()`;

it.each([
  ['ltr', -100, '"Delete"'],
  ['ltr', 100, '"Mark as read"'],
  ['rtl', 100, '"حذف"'],
  ['rtl', -100, '"وضع علامة مقروءة"'],
] as const)('moves a whole row under a finger, %s by %i, and says beside it: %s', async (dir, by, words) => {
  const { page, faults } = await openPhone(dir);
  await drag(page, /Second/, by);
  await page.locator('.row.is-swiped').waitFor();
  await expect.poll(() => page.evaluate(readSwiped)).toEqual({ by, room: 100, words, isWide: false });
  expect(faults).toEqual(noFaults);
});

it('marks the open message as unread on a phone', async () => {
  const { page, faults } = await openPhone();
  await page.getByRole('link', { name: /Second/ }).tap();
  await page.getByRole('button', { name: 'Mark as unread' }).tap();
  await page.getByRole('link', { name: /Unread.*Second/ }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('shows several addresses in a sheet on a phone', async () => {
  const { page, email: first, faults } = await app.open(phone);
  expect(await page.getByRole('button', { name: 'Your addresses' }).count()).toBe(0);
  await page.getByRole('button', { name: 'New address' }).tap();
  await expect.poll(() => readAddress(page)).not.toBe(first);
  await app.service.send(first, { subject: 'Elsewhere' });
  const sheet = page.getByRole('button', { name: 'Your addresses' });
  await sheet.locator('.badge').getByText('1', { exact: true }).waitFor({ timeout: 30_000 });
  await sheet.tap();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: first.split('@')[0]! })
    .tap();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Elsewhere/ }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('is one Tab stop as a list, in which arrows, Home and End move', async () => {
  const { page, email, faults } = await app.open();
  for (const subject of ['One', 'Two', 'Three']) {
    await app.service.send(email, { subject, text: `Your code is 48291${subject.length}` });
    await page.getByRole('link', { name: new RegExp(subject) }).waitFor();
  }
  // The first opens by itself.
  await page.locator('.message-title').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.message-title').waitFor({ state: 'detached' });
  const at = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
  const stops = '.list .row :is(a, button):not([tabindex="-1"])';
  expect(await page.locator(stops).count()).toBe(1);
  await page.getByRole('link', { name: /Three/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(at).toContain('Two');
  await page.keyboard.press('End');
  await expect.poll(at).toContain('One');
  await page.keyboard.press('ArrowRight');
  await expect.poll(at).toBe('482913');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(at).toContain('One');
  await page.keyboard.press('Home');
  await expect.poll(at).toContain('Three');
  expect(await page.locator(stops).count()).toBe(1);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest(".row")')).toBe(null);
  expect(faults).toEqual(noFaults);
});

it('opens the newest mail with a code by itself, leaving the focus', async () => {
  const { page, email, faults } = await app.open();
  await page.getByRole('button', { name: 'Copy address' }).focus();
  await app.service.send(email, codeMail);
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  await page.getByRole('button', { name: 'Copy code', exact: true }).waitFor();
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Copy address');
  // Once in the list, and once in the message.
  expect(await page.locator('.list :is(.code, .code-chip)').count()).toBe(1);
  expect(await page.locator('.reader .code').count()).toBe(1);
  expect(faults).toEqual(noFaults);
});

it('opens nothing over what is being read, chosen or set', async () => {
  const { page, email, faults } = await app.open();
  await app.service.send(email, attachmentMail);
  await page.getByRole('link', { name: /Nora/ }).click();
  await page.getByTestId('text').getByText('See you at seven.').waitFor();
  await app.service.send(email, codeMail);
  await page.getByRole('button', { name: 'Copy newest code 482913' }).waitFor();
  expect(await page.getByTestId('text').getByText('See you at seven.').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings' }).click();
  await app.service.send(email, { subject: 'Another', text: 'Your code is 551 720' });
  await page.getByRole('link', { name: /Another/ }).waitFor();
  await closeDialog(page);
  expect(await page.locator('.message-title').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('gets a newcomer from the page to a pasted code with two clicks on it', async () => {
  const { page, email, readClipboard } = await app.open();
  let clicks = 0;
  const click = async (name: string): Promise<void> => {
    clicks += 1;
    await page.bringToFront();
    await page.getByRole('button', { name, exact: true }).click();
  };
  await click('Copy address');
  expect(await readClipboard()).toBe(email);
  // The third is the one that brings the page back to the front.
  await app.service.send(email, codeMail);
  await click('Copy code');
  expect(await readClipboard()).toBe('482913');
  expect(clicks).toBe(2);
});
