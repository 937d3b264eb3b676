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

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test' }, { isWhole: true });

/**
 * Records tones and notifications as the page makes them, without suppressing them. A headless page always has the
 * focus.
 */
const noteSigns = `window.tones = [];
window.notifications = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { window.tones.push(this.frequency.value); return start.call(this, at); };
const Real = Notification;
window.Notification = class extends Real {
  constructor(title, options) { super(title, options); window.notifications.push({ title, body: options.body }); window.last = this; }
};
document.hasFocus = () => false;`;

async function open(answer: 'granted' | 'denied'): Promise<OpenedApp> {
  const opened = await app.openPage(desktop);
  if (answer === 'granted') {
    const permissions = ['clipboard-read', 'clipboard-write', 'notifications'];
    await opened.context.grantPermissions(permissions, { origin: app.service.origin });
  }
  await opened.context.addInitScript(noteSigns);
  const email = await readAddress(opened.page);
  await opened.page.reload();
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return { ...opened, email };
}

async function choose(page: Page, setting: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: setting }).click();
}

it('is silent by default', async () => {
  const { page, email, faults } = await open('granted');
  await app.service.send(email, codeMail);
  await page.getByRole('button', { name: 'Copy code 482913' }).waitFor();
  expect(await page.evaluate('[tones, notifications]')).toEqual([[], []]);
  expect(faults).toEqual(noFaults);
});

it('plays two tones when it is switched on, and at each arrival, also after a reload', async () => {
  const { page, email, faults } = await open('granted');
  await choose(page, 'Play a sound');
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

it('notifies with permission, the code first, and opens the chosen message', async () => {
  const { page, email, faults } = await open('granted');
  await choose(page, 'Show a notification');
  await closeDialog(page);
  await app.service.send(email, codeMail);
  await expect
    .poll(() => page.evaluate('notifications'))
    .toEqual([
      {
        title: '482913',
        body: 'New message from Brook Bank: Your verification code is 482 913. Code 482913.',
      },
    ]);
  await page.evaluate('last.onclick()');
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('clears the checkbox and says why when the browser blocks it', async () => {
  const { page, email, faults } = await open('denied');
  await choose(page, 'Show a notification');
  await page.getByText('Notifications are blocked.').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Show a notification' }).isChecked()).toBe(false);
  await closeDialog(page);
  await app.service.send(email, codeMail);
  await page.getByRole('button', { name: 'Copy code 482913' }).waitFor();
  expect(await page.evaluate('notifications')).toEqual([]);
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
  const { page, email } = await open('granted');
  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).fill('Shop');
  await page.getByRole('button', { name: 'Save' }).click();
  await choose(page, 'Show a notification');
  await closeDialog(page);
  await app.service.send(email, { subject: 'Hello', text: 'Your code is 482913' });
  await expect
    .poll(() => page.evaluate('notifications.map(({ title }) => title)'))
    .toEqual(['482913 · Shop']);
});
