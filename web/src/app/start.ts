// Starts the app in the right order: load what is kept, request the first address, open the live links. Called once by
// main.tsx. Shows nothing itself.
import { computed, effect, untracked } from '@preact/signals';

import { locale, t } from '../i18n/translate.ts';
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
import { toCodeGroups } from '../state/mail/code-groups.ts';
import { settings, startSettings } from '../state/settings.ts';
import { formatSpan } from '../state/timestamp.ts';
import { readStored } from '../state/storage.ts';
import { sessionsKey } from '../state/addresses/stored-sessions.ts';
import { createFirstAddress, createNow, extendAddress, isForgotten } from './addresses.ts';
import { startChosenNotifications, takeChosenMessage } from './arrivals.ts';
import { startChoosing } from './choosing.ts';
import { startDeleting } from './deleting.ts';
import { startDropping } from './mail-files/dropping.ts';
import { keepWhenNeeded } from './kept-pages.ts';
import { startKeyboard } from './keyboard.ts';
import { startLateCode, titleCode } from './late-code.ts';
import { startLiveLinks } from './live-links.ts';
import { closeDialog, startNavigation } from './navigation.ts';
import { dismiss, notify, say, startNotices } from './notices.ts';
import { startReading } from './reading.ts';
import { inBackground, logFault } from './report-fault.ts';
import { startSearching } from './searching.ts';
import { takeSharedToken } from './shared-token.ts';

interface Loaded {
  readonly endedMeanwhile: string | null;
  /** Whether this browser has kept something from an earlier visit. */
  readonly wasHere: boolean;
  /** Resolves when the address of a first visit has been created, or could not be. */
  readonly first: Promise<void> | undefined;
}

/** Starts what must not wait: the first address is already requested when this returns. */
export function startSession(): Loaded {
  const shared = takeSharedToken();
  startSettings();
  const loaded = { ...loadMailboxes(), wasHere: readStored(sessionsKey) !== null };
  takeChosenMessage();
  startNavigation();
  takeShortcut();
  if (shared !== undefined) inBackground(offerOrStart(shared));
  // Where tabs cannot agree, another may have kept an address after this one had asked for its own, and shown it.
  const isFirst = shared === undefined && (mailboxes.value.length === 0 || window.firstAnswer !== undefined);
  return { ...loaded, first: isFirst ? createFirstAddress() : undefined };
}

/** Starts the rest, once texts can be shown. */
export function startRest({ endedMeanwhile, wasHere }: Loaded): void {
  startClock();
  startNotices();
  startReading();
  keepWhenNeeded(wasHere);
  startLiveLinks();
  startDeleting();
  startDropping();
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
  if (mailboxes.value.length > 0) inBackground(createNow());
}

async function offer(token: string): Promise<boolean> {
  return (await import('./share-link.ts')).offerShared(token);
}

/** A first visit by a link gets no address of its own before the question is answered. */
async function offerOrStart(token: string): Promise<void> {
  let isOffered = false;
  try {
    isOffered = await offer(token);
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
    inBackground(offer(token));
  });
}

function watchTitle(): void {
  effect(() => {
    const unread = totalUnread.value;
    const label = current.value?.label.value ?? '';
    const code = titleCode.value;
    const name = label === '' ? t('app.name') : `${label} · ${t('app.name')}`;
    if (code !== null) document.title = `${toCodeGroups(code).join(' ')} · ${t('app.name')}`;
    else document.title = unread > 0 ? `(${unread}) ${name}` : name;
    // The number on the icon of an installed page, where the system supports one.
    if ('setAppBadge' in navigator) navigator.setAppBadge(unread).catch(logFault);
  });
}

/** How long before the end it is announced. */
const announcedMs = [300_000, 60_000] as const;

/** Offers more time five minutes and a minute before the current address ends, as long as that is so. */
function watchEnd(): void {
  const ending = computed(() => {
    const { value: mailbox } = current;
    if (!mailbox || mailbox.isOver.value) return null;
    const left = mailbox.endsAt.value - now.value;
    const stage = announcedMs.findLast((ms) => left <= ms);
    return left > 0 && stage !== undefined ? `${stage} ${mailbox.token}` : null;
  });
  effect(() => {
    if (ending.value === null) return undefined;
    const id = untracked(() => current.value && announceEnd(current.value));
    return () => {
      if (id !== null) dismiss(id);
    };
  });
}

function announceEnd(mailbox: Mailbox): number {
  const seconds = Math.round((mailbox.endsAt.value - Date.now()) / 60_000) * 60;
  const time = formatSpan(seconds, locale.value);
  const text = seconds === 0 ? t('address.verySoon') : t('address.soon', { time });
  say(text);
  const run = (): void => {
    inBackground(extendAddress(mailbox));
  };
  return notify({ kind: 'info', text, lastsMs: 20_000, action: { label: t('address.extend'), run } });
}
