// Selecting several messages by mouse, keyboard and touch, then deleting, restoring and marking them.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { chooseInMenu, noFaults, phone } from '../support/page/app-page.ts';

const app = useApp();

interface Filled extends OpenedApp {
  kept(): Promise<string[]>;
  unread(): Promise<string[]>;
}

/** Sends six messages, `Six` the newest. */
async function fill(options?: Parameters<typeof app.open>[0]): Promise<Filled> {
  const opened = await app.open(options);
  const { page, email } = opened;
  const token = String(await page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"));
  for (const subject of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
    await app.service.send(email, { subject, text: subject });
  }
  await expect.poll(() => page.locator('.row').count()).toBe(6);
  const list = () => app.service.process().checkMail(token);
  return {
    ...opened,
    kept: async () => (await list()).map(({ subject }) => subject),
    unread: async () => (await list()).filter((mail) => !mail.is_read).map(({ subject }) => subject),
  };
}

function shown(page: Page): Promise<string[]> {
  return page.locator('.row-subject').allInnerTexts();
}

function chosen(page: Page): Promise<string[]> {
  return page.locator('.row.is-chosen .row-subject').allInnerTexts();
}

it('selects by x and a range by Shift, deletes it in one request, and restores it by one undo', async () => {
  const { page, faults, kept } = await fill();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
  });
  await page.getByRole('link', { name: /Six/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await expect.poll(() => chosen(page)).toEqual(['Five']);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+J');
  await expect.poll(() => chosen(page)).toEqual(['Five', 'Four', 'Three']);
  await page.getByRole('toolbar', { name: 'Selected messages' }).getByText('3 selected').waitFor();
  await page.keyboard.press('d');
  await expect.poll(() => shown(page)).toEqual(['Six', 'Two', 'One']);
  await page.getByText('3 messages deleted').waitFor();
  await page.keyboard.press('u');
  await expect.poll(() => shown(page)).toEqual(['Six', 'Five', 'Four', 'Three', 'Two', 'One']);
  expect(asked).toEqual([]);
  expect(await page.getByRole('toolbar', { name: 'Selected messages' }).count()).toBe(0);
  // This time for good: a focused row, then Space, and Shift with the mouse.
  await page.keyboard.press('x');
  await expect.poll(() => chosen(page)).toEqual(['Five']);
  await page.locator('.row', { hasText: 'Two' }).click({ modifiers: ['Shift'] });
  await expect.poll(() => chosen(page)).toEqual(['Five', 'Four', 'Three', 'Two']);
  await page.getByRole('checkbox', { name: /Three/ }).press('Space');
  await expect.poll(() => chosen(page)).toEqual(['Five', 'Four', 'Two']);
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await expect.poll(kept, { timeout: 20_000 }).toEqual(['Six', 'Three', 'One']);
  expect(asked).toEqual(['/delete-mail']);
  expect(faults).toEqual(noFaults);
});

it('marks read and unread, here, in the service and in another window', async () => {
  const { page, context, faults, unread } = await fill();
  const other = await context.newPage();
  await other.goto(app.service.url);
  await expect.poll(() => other.locator('.row.is-unread').count()).toBe(6);
  await page.getByRole('button', { name: 'Select messages' }).click();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect.poll(() => chosen(page)).toHaveLength(6);
  await page.getByRole('button', { name: 'Mark as read' }).click();
  await expect.poll(() => page.locator('.row.is-unread').count()).toBe(0);
  await expect.poll(unread).toEqual([]);
  await expect.poll(() => other.locator('.row.is-unread').count()).toBe(0);
  await page.getByRole('link', { name: /Four/ }).click();
  await page.getByRole('heading', { name: 'Four' }).waitFor();
  await page.getByRole('button', { name: 'Mark as unread' }).click();
  await page.locator('.message-title').waitFor({ state: 'detached' });
  await expect.poll(unread).toEqual(['Four']);
  await expect.poll(() => other.locator('.row.is-unread .row-subject').allInnerTexts()).toEqual(['Four']);
  await page.locator('.row', { hasText: 'Two' }).click({ modifiers: ['Control'] });
  await page.keyboard.press('m');
  await expect.poll(unread).toEqual(['Four', 'Two']);
  expect(faults).toEqual(noFaults);
});

it('selects only search results, and Escape and Back end it', async () => {
  const { page, faults } = await fill();
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('e');
  await expect.poll(() => shown(page)).toContain('Three');
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('thr');
  await expect.poll(() => shown(page)).toEqual(['Three']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('toolbar', { name: 'Selected messages' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Select messages' }).click();
  await page.getByRole('toolbar', { name: 'Selected messages' }).waitFor();
  await page.goBack();
  await page.getByRole('toolbar', { name: 'Selected messages' }).waitFor({ state: 'detached' });
  expect(await page.getByTestId('address').isVisible()).toBe(true);
  expect(faults).toEqual(noFaults);
});

it('deletes all from the menu, also on a phone, and can undo it', async () => {
  const { page, faults, kept } = await fill(phone);
  await chooseInMenu(page, 'Delete all messages');
  await page.getByText('6 messages deleted').waitFor();
  expect(await shown(page)).toEqual([]);
  // By touch: a mouse left here would hold the next notice, which comes under it, and with it the deletion.
  await page.getByRole('button', { name: 'Undo' }).tap();
  await expect.poll(() => page.locator('.row').count()).toBe(6);
  await page.getByRole('button', { name: 'Select messages' }).tap();
  await page.locator('.row', { hasText: 'Six' }).tap();
  await page.locator('.row', { hasText: 'One' }).tap();
  await expect.poll(() => chosen(page)).toEqual(['Six', 'One']);
  const bar = await page.getByRole('toolbar', { name: 'Selected messages' }).boundingBox();
  expect(bar && Math.round(bar.y + bar.height)).toBe(740);
  await page.getByRole('button', { name: 'Delete selected' }).tap();
  await expect.poll(kept, { timeout: 20_000 }).toEqual(['Five', 'Four', 'Three', 'Two']);
  await chooseInMenu(page, 'Delete all messages');
  await expect.poll(kept, { timeout: 20_000 }).toEqual([]);
  expect(faults).toEqual(noFaults);
});
