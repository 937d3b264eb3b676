// Starts the app in the right order: load what is kept, request the first address, open the live links. Called once by
// main.tsx. Shows nothing itself.
import { computed, effect, untracked } from '@preact/signals';

import { t } from '../i18n/translate.ts';
import { now, startClock } from '../state/clock.ts';
import {
  current,
  loadMailboxes,
  mailboxes,
  saveMailboxes,
  syncMailboxes,
  totalUnread,
} from '../state/mailboxes.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { settings, startSettings } from '../state/settings.ts';
import { sessionsKey } from '../state/addresses/stored-sessions.ts';
import { createFirstAddress, extendAddress, isForgotten } from './addresses.ts';
import { startChosenNotifications, takeChosenMessage } from './arrivals.ts';
import { startChoosing } from './choosing.ts';
import { startDeleting } from './deleting.ts';
import { startKeeping } from './keeping.ts';
import { startKeyboard } from './keyboard.ts';
import { startLateCode } from './late-code.ts';
import { startLiveLinks } from './live-links.ts';
import { closeDialog, openDialog, startNavigation } from './navigation.ts';
import { dismiss, notify, say } from './notices.ts';
import { startReading } from './reading.ts';
import { inBackground, logFault } from './report-fault.ts';
import { startSearching } from './searching.ts';
import { offerShared, takeSharedToken } from './share-link.ts';

/** Starts what must not wait: the first address is already requested when this returns. */
export function startSession(): { endedMeanwhile: string | null } {
  const shared = takeSharedToken();
  startSettings();
  const loaded = loadMailboxes();
  takeChosenMessage();
  startNavigation();
  takeShortcut();
  if (shared !== undefined) inBackground(offerOrStart(shared));
  else if (mailboxes.value.length === 0) void createFirstAddress();
  return loaded;
}

/** Starts the rest, once texts can be shown. */
export function startRest({ endedMeanwhile }: { endedMeanwhile: string | null }): void {
  startClock();
  startReading();
  startKeeping();
  startLiveLinks();
  startDeleting();
  startChoosing();
  startSearching();
  startKeyboard();
  startLateCode();
  startChosenNotifications();
  if (settings.value.push) followPush().catch(logFault);
  watchTesters();
  watchOtherWindows();
  watchSharedLinks();
  watchTitle();
  watchEnd();
  saveMailboxes();
  if (endedMeanwhile !== null && mailboxes.value.length === 0) {
    notify({ kind: 'info', text: t('over.meanwhile', { email: endedMeanwhile }), lastsMs: 9000 });
  }
}

/** Handles the installed page's shortcut for a new address. A first visit gets one anyway. */
function takeShortcut(): void {
  if (location.hash !== '#new-address') return;
  history.replaceState(null, '', location.pathname + location.search);
  if (mailboxes.value.length > 0) openDialog('create');
}

/** A first visit by a link gets no address of its own before the question is answered. */
async function offerOrStart(token: string): Promise<void> {
  let isOffered = false;
  try {
    isOffered = await offerShared(token);
  } finally {
    if (!isOffered && mailboxes.value.length === 0) await createFirstAddress();
  }
}

async function followPush(): Promise<void> {
  await (await import('./push.ts')).followBrowser();
}

function watchTesters(): void {
  const hasServer = computed(() => mailboxes.value.some(({ smtp }) => smtp !== undefined));
  effect(() => {
    if (hasServer.value) import('./testing.ts').then(({ startTesting }) => startTesting(), logFault);
  });
}

function watchOtherWindows(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== sessionsKey && key !== null) return;
    syncMailboxes();
    // Another window forgot everything: creating an address here would keep something again.
    isForgotten.value = mailboxes.value.length === 0;
  });
}

/** In a window that already shows the page, a link to another inbox only changes the fragment. */
function watchSharedLinks(): void {
  window.addEventListener('hashchange', () => {
    const token = takeSharedToken();
    if (token === undefined) return;
    closeDialog();
    inBackground(offerShared(token));
  });
}

function watchTitle(): void {
  effect(() => {
    const unread = totalUnread.value;
    const label = current.value?.label.value ?? '';
    const name = label === '' ? t('app.name') : `${label} · ${t('app.name')}`;
    document.title = unread > 0 ? `(${unread}) ${name}` : name;
    // The number on the icon of an installed page, where the system supports one.
    if ('setAppBadge' in navigator) navigator.setAppBadge(unread).catch(logFault);
  });
}

const soonMs = 60_000;
/** With less left, as after a switch to this address, it is no longer a minute. */
const lateMs = 45_000;

/** Announces a minute before that the current address is about to end, as long as that is so. */
function watchEnd(): void {
  const ending = computed(() => {
    const { value: mailbox } = current;
    const left = mailbox && !mailbox.isOver.value ? mailbox.endsAt.value - now.value : 0;
    return left > 0 && left <= soonMs ? mailbox : null;
  });
  effect(() => {
    const { value: mailbox } = ending;
    if (!mailbox) return undefined;
    const id = untracked(() => announceEnd(mailbox));
    return () => {
      dismiss(id);
    };
  });
}

function announceEnd(mailbox: Mailbox): number {
  const text = t(mailbox.endsAt.value - Date.now() < lateMs ? 'address.verySoon' : 'address.soon');
  say(text);
  const run = (): void => {
    inBackground(extendAddress(mailbox));
  };
  return notify({ kind: 'info', text, lastsMs: 20_000, action: { label: t('address.extend'), run } });
}
