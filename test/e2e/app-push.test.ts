// Notifications while the page is closed, end to end except for the browser's push service, which is unreachable here:
// the page subscribes with the test's keys, the service sends to the test's endpoint, and the decrypted message is
// handed to Chromium's service worker as its push service would.
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { codeMail } from '../support/page/app-mails.ts';
import {
  type AppPage,
  type AppService,
  closeDialog,
  launchAppBrowser,
  noFaults,
  openAppPage,
  readAddress,
  useAppService,
  withServiceWorker,
} from '../support/page/app-page.ts';
import {
  createPushBrowser,
  type PushBrowser,
  type PushService,
  startPushService,
} from '../support/servers/push-browser.ts';

interface Setting extends AppPage {
  readonly email: string;
  readonly service: AppService;
  readonly pushService: PushService;
  readonly keys: PushBrowser;
}

async function open(settings: Readonly<Record<string, string>> = {}): Promise<Setting> {
  const pushService = await startPushService();
  const service = await useAppService({
    MAYFLY_DOMAINS: 'mayfly.test',
    MAYFLY_PUSH_ENABLED: 'on',
    MAYFLY_PUSH_HOSTS: pushService.origin,
    ...settings,
  });
  const browser = await launchAppBrowser({ isWhole: true });
  onTestFinished(() => browser.close());
  const opened = await openAppPage(browser, service, withServiceWorker);
  const keys = createPushBrowser();
  const { endpoint, ...secrets } = keys.subscription(`${pushService.origin}/send/1`);
  await opened.context.addInitScript(`{
    const made = {
      toJSON: () => (${JSON.stringify({ endpoint, keys: secrets })}),
      unsubscribe: async () => { localStorage.removeItem('test.subscribed'); return true; },
    };
    PushManager.prototype.subscribe = async (options) => {
      localStorage.setItem('test.subscribed', options.applicationServerKey);
      return made;
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem('test.subscribed') && made;
  }`);
  await opened.context.grantPermissions(['notifications'], { origin: service.origin });
  const email = await readAddress(opened.page);
  await opened.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await opened.page.reload();
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return { ...opened, email, service, pushService, keys };
}

const choice = 'Also while this page is closed';

async function choosePush(page: Page, operation: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const answered = page.waitForResponse((response) => response.url().endsWith(operation));
  await page.getByRole('checkbox', { name: choice }).click();
  expect((await answered).status()).toBe(200);
}

/** As the browser's push service would, with no window of the page open. */
async function deliver(context: BrowserContext, origin: string, data: string): Promise<void> {
  const blank = await context.newPage();
  const session = await context.newCDPSession(blank);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await blank.close();
}

const listNotifications = `self.registration.getNotifications().then((all) =>
  all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`;

it(
  'is notified of mail while closed, without its content, and opens that mail',
  { timeout: 300_000 },
  async () => {
    const { page, context, email, service, pushService, keys, faults } = await open();
    await choosePush(page, '/subscribe-push');
    await expect.poll(() => page.getByRole('checkbox', { name: choice }).isChecked()).toBe(true);
    expect(await checkAccessibility(page)).toEqual([]);
    const { public_key: key } = await page.evaluate<{ public_key: string }>(
      "fetch('push-key').then((one) => one.json())",
    );
    expect(await page.evaluate("localStorage.getItem('test.subscribed')")).toBe(key);
    await closeDialog(page);
    // A further address is subscribed too.
    const second = page.waitForResponse((response) => response.url().endsWith('/subscribe-push'));
    await page.getByRole('button', { name: 'New address' }).click();
    expect((await second).status()).toBe(200);
    await page.goto('about:blank');

    await service.send(email, codeMail);
    await expect.poll(() => pushService.received.length).toBe(1);
    const [{ path, body }] = pushService.received as [(typeof pushService.received)[0]];
    const text = keys.decrypt(body);
    const { subscription } = JSON.parse(text) as { subscription: string };
    expect([path, JSON.parse(text)]).toEqual(['/send/1', { subscription, message: 1 }]);

    await deliver(context, service.origin, text);
    const [worker] = context.serviceWorkers();
    const tag = `${subscription} 1`;
    await expect
      .poll(() => worker?.evaluate(listNotifications))
      .toEqual([{ title: 'New message', body: '', tag, data: { subscription, id: 1 } }]);
    for (const nonsense of ['', 'x', '{}', '{"subscription":"<b>","message":1}', '{"subscription":1}']) {
      await deliver(context, service.origin, nonsense);
    }
    expect(await worker?.evaluate(listNotifications)).toHaveLength(1);

    // The effect of a click without an open window.
    await page.goto(`${service.url}#mail-${subscription}-1`);
    await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
    expect(await readAddress(page)).toBe(email);
    expect(page.url()).toBe(`${service.url}#message-1`);
    await page.goBack();
    await page.getByRole('button', { name: 'Copy newest code 482913' }).waitFor();

    // The same with an open window that shows another address.
    const rail = page.getByRole('navigation', { name: 'Your addresses' });
    await rail.getByRole('button').nth(1).click();
    await expect.poll(() => readAddress(page)).not.toBe(email);
    await worker?.evaluate(`self.registration.getNotifications().then(([notification]) => {
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  })`);
    await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
    expect(await readAddress(page)).toBe(email);

    await choosePush(page, '/unsubscribe-push');
    await expect.poll(() => page.getByRole('checkbox', { name: choice }).isChecked()).toBe(false);
    expect(await page.evaluate("localStorage.getItem('test.subscribed')")).toBeNull();
    expect(await page.evaluate("localStorage.getItem('mayfly.sessions')")).not.toContain('"push"');
    expect(service.process().log).not.toContain(pushService.origin);
    expect(faults).toEqual(noFaults);
  },
);

it('is not offered when the operator has it off', async () => {
  const { page, faults } = await open({ MAYFLY_PUSH_ENABLED: 'off' });
  const answered = page.waitForResponse((response) => response.url().endsWith('/push-key'));
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await answered;
  await page.getByRole('checkbox', { name: 'Show a notification' }).waitFor();
  expect(await page.getByRole('checkbox', { name: choice }).count()).toBe(0);
  expect(faults).toEqual(noFaults);
});
