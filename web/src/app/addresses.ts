// Creates, extends, ends and forgets addresses. Called by views, by keys and at the start.
import { signal } from '@preact/signals';

import { type ApiError, isSessionOver, requireApiError } from '../api/api-error.ts';
import { createSession, endSession, extendSession, type NewSession } from '../api/operations.ts';
import type { Expiry } from '../api/answers.ts';
import { locale, t } from '../i18n/translate.ts';
import { applyExpiry, type Mailbox } from '../state/mailbox.ts';
import {
  addMailbox,
  forgetMailboxes,
  mailboxes,
  removeMailbox,
  saveMailboxes,
  selectMailbox,
} from '../state/mailboxes.ts';
import { forgetSettings } from '../state/settings.ts';
import { forgetMails } from '../state/kept-mails.ts';
import { forgetStored } from '../state/storage.ts';
import { formatTime } from '../state/timestamp.ts';
import { untilKept } from './keeping.ts';
import { closeMessage, selectedId } from './navigation.ts';
import { silence, notify } from './notices.ts';

/** Why there is no address; null while creation may still succeed. */
export const creationError = signal<ApiError | null>(null);
export const isForgotten = signal(false);

const tryAgainMs = 3_000;
const hourSeconds = 3600;
const daySeconds = 86_400;

/** @throws ApiError */
export async function createAddress(wanted: NewSession = {}): Promise<void> {
  const { token, email, expires_in: inSeconds } = await createSession(wanted);
  for (const over of mailboxes.value.filter(({ isOver }) => isOver.value)) removeMailbox(over.token);
  leaveMessage();
  const mailbox = addMailbox({ token, email, endsAt: Date.now() + inSeconds * 1000, isShared: false });
  // A new session has no messages, so its stream can start at once.
  mailbox.position.value = 0;
  mailbox.isListed.value = true;
  isForgotten.value = false;
}

/** Creates the address of a first visit, trying again while the service is unavailable. */
export async function createFirstAddress(): Promise<void> {
  creationError.value = null;
  isForgotten.value = false;
  try {
    await createAddress();
  } catch (error) {
    const failure = requireApiError(error);
    creationError.value = failure;
    if (failure.code === 'network' || failure.code === 'unavailable') {
      setTimeout(() => {
        if (creationError.value === failure && mailboxes.value.length === 0) void createFirstAddress();
      }, tryAgainMs);
    }
  }
}

export function switchAddress(token: string): void {
  leaveMessage();
  selectMailbox(token);
}

/**
 * Adds an hour, as far as the service allows.
 * @throws ApiError
 */
export async function extendAddress(mailbox: Mailbox): Promise<void> {
  const before = mailbox.endsAt.value;
  const left = Math.max(0, Math.ceil((before - Date.now()) / 1000));
  applyExpiry(mailbox, await askForMore(mailbox.token, Math.min(left + hourSeconds, daySeconds)));
  saveMailboxes();
  const isLater = mailbox.endsAt.value > before + 1500;
  const time = formatTime(mailbox.endsAt.value, locale.value);
  notify({ kind: 'info', text: isLater ? t('address.extended', { time }) : t('address.atLimit') });
}

async function askForMore(token: string, lifetime: number): Promise<Expiry> {
  try {
    return await extendSession(token, lifetime);
  } catch (error) {
    // The operator has set unusual bounds; the service's default is within them.
    if (requireApiError(error).code !== 'invalid_parameter') throw error;
    return extendSession(token);
  }
}

/** @throws ApiError */
export async function endAddress(mailbox: Mailbox): Promise<void> {
  await endUnlessOver(mailbox.token);
  leaveMessage();
  silence();
  removeMailbox(mailbox.token);
  notify({ kind: 'info', text: t('end.done', { email: mailbox.email }) });
  if (mailboxes.value.length === 0) await createFirstAddress();
}

/** Removes from the list an address that has ended or belongs to someone else. */
export function dismissAddress(mailbox: Mailbox): void {
  leaveMessage();
  removeMailbox(mailbox.token);
}

/**
 * Removes every trace of the reader from this browser. With `isEnding` the sessions end first; if one cannot be ended,
 * nothing is forgotten, since its token would be lost.
 * @throws ApiError
 */
export async function forgetEverything(isEnding: boolean): Promise<void> {
  if (isEnding) {
    await Promise.all(
      mailboxes.value.filter(({ isReadOnly }) => !isReadOnly).map(({ token }) => endUnlessOver(token)),
    );
  }
  leaveMessage();
  silence();
  forgetMailboxes();
  forgetSettings();
  forgetStored();
  isForgotten.value = true;
  creationError.value = null;
  await untilKept();
  await forgetMails();
  await forgetKeptPage();
}

async function forgetKeptPage(): Promise<void> {
  // Absent on insecure origins, where nothing is kept.
  if (!('caches' in window)) return;
  const ours = (await caches.keys()).filter((name) => name.startsWith('mayfly '));
  await Promise.all(ours.map((name) => caches.delete(name)));
  const worker = await navigator.serviceWorker.getRegistration();
  await worker?.unregister();
}

async function endUnlessOver(token: string): Promise<void> {
  try {
    await endSession(token);
  } catch (error) {
    if (!isSessionOver(error)) throw error;
  }
}

export function leaveMessage(): void {
  closeMessage();
  selectedId.value = null;
}
