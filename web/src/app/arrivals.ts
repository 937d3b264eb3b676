// Announces new messages: to screen readers and, if enabled, with a sound and a system notification. The sender's
// words are only ever used as text.
import type { MessageSummary } from '../api/answers.ts';
import { t, tn } from '../i18n/translate.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { mailboxes, selectMailbox } from '../state/mailboxes.ts';
import { settings } from '../state/settings.ts';
import { showSender } from '../state/mail/shown-sender.ts';
import { copyAndNotify } from './copying.ts';
import { recordCode } from './late-code.ts';
import { openMessage } from './navigation.ts';
import { say } from './notices.ts';
import { inBackground, logFault } from './report-fault.ts';

/** Token and id of messages that arrived while the page was open; their rows are shown as new. */
const arrivedHere = new Set<string>();

/** Ends the highlighting of a new row. */
export function settle(mailbox: Mailbox, id: number): void {
  arrivedHere.delete(`${mailbox.token} ${id}`);
}

export function isFresh(mailbox: Mailbox, id: number): boolean {
  return arrivedHere.has(`${mailbox.token} ${id}`);
}

/** @param arrived messages not known before, oldest first */
export function announceArrivals(mailbox: Mailbox, arrived: readonly MessageSummary[]): void {
  const newest = arrived.at(-1);
  if (!newest) return;
  for (const { id } of arrived) arrivedHere.add(`${mailbox.token} ${id}`);
  recordCode(mailbox, arrived);
  const words = describe(newest);
  say(arrived.length === 1 ? words : `${tn('inbox.arrivedMany', arrived.length)}. ${words}`);
  if (settings.value.sound) chime().catch(logFault);
  if (settings.value.notify && !document.hasFocus()) showNew(mailbox, newest, words).catch(logFault);
}

async function chime(): Promise<void> {
  (await import('./chime.ts')).playChime();
}

async function showNew(mailbox: Mailbox, message: MessageSummary, words: string): Promise<void> {
  const { showNotification } = await import('./later/show-notification.ts');
  await showNotification({ mailbox, message, words }, openChosen);
}

function describe(message: MessageSummary): string {
  const sender = showSender(message) || t('inbox.noSender');
  const subject = message.subject || t('inbox.noSubject');
  return message.code === null
    ? t('inbox.arrived', { sender, subject })
    : t('inbox.arrivedCode', { sender, subject, code: message.code });
}

function openChosen(mailbox: Mailbox, id: number): void {
  selectMailbox(mailbox.token);
  openMessage(id);
}

/** Handles the button of a notification. */
function copyChosen(mailbox: Mailbox, id: number): void {
  const code = mailbox.messages.value.find((message) => message.id === id)?.code ?? null;
  if (code !== null) inBackground(copyAndNotify(code, t('inbox.codeCopied', { code })));
}

/** Opens the message whose notification the service worker reports as chosen. */
export function startChosenNotifications(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent) => {
    const { kind, email, subscription, id, copies } = { ...(data as object) } as Record<string, unknown>;
    const mailbox = mailboxes.value.find((one) =>
      typeof subscription === 'string' ? one.push.value === subscription : one.email === email,
    );
    if (kind !== 'open-message' || !mailbox || typeof id !== 'number') return;
    openChosen(mailbox, id);
    if (copies === true) copyChosen(mailbox, id);
  });
}

/**
 * Opens the address and message named in the fragment when a notification of the service worker opened the page, and
 * takes the fragment out of the address bar.
 */
export function takeChosenMessage(): void {
  const [, subscription, id] = /^#mail-([\w-]{22})-(\d{1,15})$/.exec(location.hash) ?? [];
  if (subscription === undefined) return;
  const mailbox = mailboxes.value.find(({ push }) => push.value === subscription);
  const place = location.pathname + location.search;
  history.replaceState(null, '', mailbox ? `${place}#message-${id}` : place);
  if (mailbox) selectMailbox(mailbox.token);
}
