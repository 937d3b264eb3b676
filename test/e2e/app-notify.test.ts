// Sounds and system notifications for arrivals: only on request and with permission, and without message content where
// it does not belong.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import {
  chooseInMenu,
  closeDialog,
  desktop,
  noFaults,
  phone,
  readAddress,
} from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test' }, { isWhole: true, hasServiceWorker: true });

/** Records tones as the page makes them, without suppressing them. A headless page always has the focus. */
const noteSigns = `window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.tones.push(this.frequency.value); return start.call(this, at); };
document.hasFocus = () => false;`;

function listNotifications({ context }: OpenedApp): Promise<unknown> {
  return context.serviceWorkers()[0]!.evaluate(`self.registration.getNotifications().then((all) =>
    all.map(({ title, body, actions }) => ({ title, body, actions: actions.map((one) => one.title) })))`);
}

/** @param action a button of the notification; empty for the notification itself */
async function choose({ context }: OpenedApp, action: string): Promise<void> {
  await context.serviceWorkers()[0]!.evaluate(`self.registration.getNotifications().then(([notification]) => {
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: '${action}' }));
  })`);
}

async function open(answer: 'granted' | 'denied'): Promise<OpenedApp> {
  const opened = await app.openPage(desktop);
  if (answer === 'granted') {
    const permissions = ['clipboard-read', 'clipboard-write', 'notifications'];
    await opened.context.grantPermissions(permissions, { origin: app.service.origin });
  }
  await opened.context.addInitScript(noteSigns);
  const email = await readAddress(opened.page);
  await opened.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await opened.page.reload();
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return { ...opened, email };
}

async function check(page: Page, setting: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: setting }).click();
}

it('is silent by default', async () => {
  const opened = await open('granted');
  const { page, email, faults } = opened;
  await app.service.send(email, codeMail);
  await page.getByRole('button', { name: 'Copy newest code 482913' }).waitFor();
  expect(await page.evaluate('tones')).toEqual([]);
  expect(await listNotifications(opened)).toEqual([]);
  expect(faults).toEqual(noFaults);
});

it('plays two tones when it is switched on, and at each arrival, also after a reload', async () => {
  const { page, email, faults } = await open('granted');
  await check(page, 'Play a sound');
  await expect.poll(() => page.evaluate('tones')).toEqual([660, 880]);
  await closeDialog(page);
  await app.service.send(email, { subject: 'One' });
  await page.getByRole('link', { name: /One/ }).waitFor();
  await expect.poll(() => page.evaluate('tones')).toHaveLength(4);
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  await app.service.send(email, { subject: 'Two' });
  await page.getByRole('link', { name: /Two/ }).waitFor();
  await expect.poll(() => page.evaluate('tones')).toEqual([660, 880]);
  expect(faults).toEqual(noFaults);
});

it('notifies with permission, the code first, with a button that copies it', async () => {
  const opened = await open('granted');
  const { page, email, faults, readClipboard } = opened;
  await check(page, 'Show a notification');
  await closeDialog(page);
  await app.service.send(email, codeMail);
  await expect
    .poll(() => listNotifications(opened))
    .toEqual([
      {
        title: '482913',
        body: 'New message from Brook Bank: Your verification code is 482 913. Code 482913.',
        actions: ['Copy code'],
      },
    ]);
  await choose(opened, 'copy');
  await page.getByText('Code 482913 copied').waitFor();
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  expect(await readClipboard()).toBe('482913');
  expect(faults).toEqual(noFaults);
});

it('opens the message of a chosen notification, which has no button without a code', async () => {
  const opened = await open('granted');
  const { page, email, faults } = opened;
  await check(page, 'Show a notification');
  await closeDialog(page);
  await app.service.send(email, { subject: 'Lunch?' });
  await expect.poll(() => listNotifications(opened)).toMatchObject([{ title: 'Example', actions: [] }]);
  await choose(opened, '');
  await page.getByRole('heading', { name: 'Lunch?' }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('copies a new code when the reader returns, but only by choice', async () => {
  const { page, email, faults, readClipboard } = await open('granted');
  const comeBack = async (): Promise<void> => {
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
  };
  await app.service.send(email, { subject: 'Sign in', text: 'Your code is 551 720' });
  await page.getByRole('button', { name: 'Copy newest code 551720' }).waitFor();
  await comeBack();
  await check(page, 'Copy a new code when I return to this page');
  await closeDialog(page);
  await page.evaluate("navigator.clipboard.writeText('before')");
  await app.service.send(email, codeMail);
  await page.getByRole('button', { name: 'Copy newest code 482913' }).waitFor();
  expect(await readClipboard()).toBe('before');
  await expect
    .poll(async () => {
      await comeBack();
      return readClipboard();
    })
    .toBe('482913');
  expect(faults).toEqual(noFaults);
});

it('clears the checkbox and says why when the browser blocks it', async () => {
  const opened = await open('denied');
  const { page, email, faults } = opened;
  await check(page, 'Show a notification');
  await page.getByText('Notifications are blocked.').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Show a notification' }).isChecked()).toBe(false);
  await closeDialog(page);
  await app.service.send(email, codeMail);
  await page.getByRole('button', { name: 'Copy newest code 482913' }).waitFor();
  expect(await listNotifications(opened)).toEqual([]);
  expect(faults).toEqual(noFaults);
});

it('opens the message of a chosen notification on a phone', async () => {
  const { page, context, email, faults } = await app.open(phone);
  await context.grantPermissions(['notifications'], { origin: app.service.origin });
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await page.getByRole('button', { name: 'Notify me' }).tap();
  await page.evaluate('document.hasFocus = () => false');
  await page.getByText('Live', { exact: true }).waitFor();
  await app.service.send(email, codeMail);
  const [worker] = context.serviceWorkers();
  const list = 'self.registration.getNotifications().then((all) => all.map(({ title }) => title))';
  await expect.poll(() => worker?.evaluate(list)).toEqual(['482913']);
  await worker?.evaluate(`self.registration.getNotifications().then(([notification]) => {
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  })`);
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('names the address in a notification', async () => {
  const opened = await open('granted');
  const { page, email } = opened;
  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).fill('Shop');
  await page.getByRole('button', { name: 'Save' }).click();
  await check(page, 'Show a notification');
  await closeDialog(page);
  await app.service.send(email, { subject: 'Hello', text: 'Your code is 482913' });
  await expect.poll(() => listNotifications(opened)).toMatchObject([{ title: '482913 · Shop' }]);
});
