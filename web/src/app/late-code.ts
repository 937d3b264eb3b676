// The code that arrived last while the page was open: on a wide screen its message opens by itself, unless something
// else is being read; over an open message it is shown until that is closed. The tab's title shows it for a while.
import { computed, effect, signal } from '@preact/signals';

import type { MessageSummary } from '../api/answers.ts';
import { coarseNow } from '../state/clock.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { settings } from '../state/settings.ts';
import { copied } from './copy-text.ts';
import { chosen, dialog, openMessageId, showMessage } from './navigation.ts';
import { logFault } from './report-fault.ts';
import { isPhone } from './screen.ts';

export interface LateCode {
  readonly mailbox: Mailbox;
  readonly message: MessageSummary;
  readonly code: string;
}

/** As long as most codes are valid. */
const titleMs = 10 * 60_000;

/** Arrived while another message was open. */
export const lateCode = signal<LateCode | null>(null);
const newest = signal<(LateCode & { readonly at: number }) | null>(null);

/** Whether its message is to open as soon as the page is visible. */
let isDue = false;

/** The code for the tab's title; null once it was copied, is gone, or is old. */
export const titleCode = computed(() => {
  if (newest.value === null) return null;
  const { mailbox, message, code, at } = newest.value;
  const isThere = !mailbox.isOver.value && mailbox.shown.value.some(({ id }) => id === message.id);
  return isThere && copied.value !== code && coarseNow.value - at < titleMs ? code : null;
});

export function startLateCode(): void {
  effect(() => {
    if (openMessageId.value === null) dismissCode();
  });
  document.addEventListener('visibilitychange', openByItself);
}

/** @param arrived oldest first */
export function recordCode(mailbox: Mailbox, arrived: readonly MessageSummary[]): void {
  const message = arrived.findLast(({ code }) => code !== null);
  if (!message || message.code === null) return;
  const found = { mailbox, message, code: message.code };
  copied.value = null;
  newest.value = { ...found, at: Date.now() };
  if (settings.value.copies && !document.hasFocus()) copyLater(message.code).catch(logFault);
  isDue = openMessageId.value === null;
  if (isDue) openByItself();
  else lateCode.value = found;
}

async function copyLater(code: string): Promise<void> {
  const { copyOnReturn } = await import('./later/copy-on-return.ts');
  copyOnReturn(code, () => titleCode.value === code);
}

/** Not while the page is hidden, where it would be marked as read unseen, but when the reader returns. */
function openByItself(): void {
  const { mailbox, message } = newest.value ?? {};
  if (!isDue || document.hidden || !message) return;
  isDue = false;
  const isFree = openMessageId.value === null && dialog.value === null && chosen.value === null;
  const isInSight = mailbox === current.value && mailbox?.pinned.value?.id === message.id;
  if (isFree && isInSight && !isPhone.value) showMessage(message.id);
}

export function dismissCode(): void {
  lateCode.value = null;
}
