// Notifications of new mail while the page is closed, through the browser's push service. Loaded when turned on or
// offered. The service worker shows the messages.
import { effect, untracked } from '@preact/signals';

import { isSessionOver } from '../api/api-error.ts';
import { findPushKey, subscribePush, unsubscribePush } from '../api/operations.ts';
import { t } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { mailboxes, saveMailboxes } from '../state/mailboxes.ts';
import { changeSettings, settings } from '../state/settings.ts';
import { notify } from './notices.ts';
import { logFault } from './report-fault.ts';

/** Returns the service's key if both it and the browser support push, else null. */
export async function findOffer(): Promise<string | null> {
  if (!('PushManager' in window) || !(await navigator.serviceWorker?.getRegistration())) return null;
  return findPushKey();
}

/** Must run in a user gesture, or browsers refuse to ask for permission. @throws ApiError */
export async function setPush(isOn: boolean): Promise<void> {
  if (!isOn) {
    await stopPush();
    return;
  }
  if ((await Notification.requestPermission()) !== 'granted') {
    notify({ kind: 'error', text: t('settings.notifyBlocked') });
    return;
  }
  try {
    await followBrowser();
  } catch (error) {
    // The browser has no push service, or it does not answer.
    if (!(error instanceof DOMException)) throw error;
    notify({ kind: 'error', text: t('push.failed') });
  }
}

/** Called at the start of a page with push enabled, because browsers change subscriptions by themselves. */
export async function followBrowser(): Promise<void> {
  const key = await findOffer();
  if (key === null) return;
  const { endpoint, keys } = await subscribeBrowser(key);
  if (endpoint !== settings.value.push) {
    for (const mailbox of mailboxes.value) mailbox.push.value = '';
    changeSettings({ push: endpoint });
  }
  followMailboxes({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

async function subscribeBrowser(key: string): Promise<BrowserSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return (await pushManager.subscribe(options)).toJSON() as unknown as BrowserSubscription;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
    // The existing subscription belongs to another key of the service.
    await (await pushManager.getSubscription())?.unsubscribe();
    return (await pushManager.subscribe(options)).toJSON() as unknown as BrowserSubscription;
  }
}

let stopFollowing: () => void = () => undefined;

/** Subscribes every address owned here, now and later. */
function followMailboxes(subscription: Parameters<typeof subscribePush>[1]): void {
  stopFollowing();
  const asked = new Set<Mailbox>();
  stopFollowing = effect(() => {
    const all = mailboxes.value.filter(({ isReadOnly, isOver }) => !isReadOnly && !isOver.value);
    for (const mailbox of all) {
      if (mailbox.push.value !== '' || asked.has(mailbox)) continue;
      asked.add(mailbox);
      untracked(() => {
        subscribePush(mailbox.token, subscription).then((id) => {
          mailbox.push.value = id;
          saveMailboxes();
        }, ignoreOver);
      });
    }
  });
}

function ignoreOver(error: unknown): void {
  if (!isSessionOver(error)) logFault(error);
}

async function stopPush(): Promise<void> {
  stopFollowing();
  changeSettings({ push: '' });
  const subscribed = mailboxes.value.filter(({ push }) => push.value !== '');
  await Promise.all(
    subscribed.map(async (mailbox) => {
      const { value: id } = mailbox.push;
      mailbox.push.value = '';
      await unsubscribePush(mailbox.token, id).catch(ignoreOver);
    }),
  );
  saveMailboxes();
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
