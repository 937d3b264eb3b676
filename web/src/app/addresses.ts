// Creates, extends and ends addresses. Called by views, by keys and at the start.
import { signal } from '@preact/signals';

import { type ApiError, isSessionOver, requireApiError } from '../api/api-error.ts';
import { createSession, endSession, extendSession, type NewSession } from '../api/operations.ts';
import type { Expiry } from '../api/answers.ts';
import { locale, t } from '../i18n/translate.ts';
import { applyExpiry, type Mailbox } from '../state/mailbox.ts';
import {
  addMailbox,
  current,
  mailboxes,
  removeMailbox,
  saveMailboxes,
  selectMailbox,
  syncMailboxes,
} from '../state/mailboxes.ts';
import { inOneTab } from '../state/addresses/one-tab.ts';
import { readStored, writeStored } from '../state/storage.ts';
import { formatTime } from '../state/timestamp.ts';
import { closeMessage, selectedId } from './navigation.ts';
import { notify, say, silence } from './notices.ts';

/** Why there is no address; null while creation may still succeed. */
export const creationError = signal<ApiError | null>(null);
export const isForgotten = signal(false);
export const isCreating = signal(false);
const usualKey = 'mayfly.usual';
/** Seconds that an address lasts when nothing was chosen, as the last one did; 0 until one was made. */
export const usualSeconds = signal(Number(readStored(usualKey)) || 0);
/** Brings back what was forgotten; null when there is nothing, or no longer. */
export const undoForgetting = signal<(() => void) | null>(null);

const tryAgainMs = 3_000;
const hourSeconds = 3600;
const daySeconds = 86_400;

/** @throws ApiError */
export async function createAddress(
  wanted: NewSession = {},
  begun?: Promise<Response | null>,
): Promise<void> {
  const { token, email, expires_in: inSeconds } = await createSession(wanted, begun);
  if (wanted.lifetime === undefined) {
    usualSeconds.value = inSeconds;
    writeStored(usualKey, String(inSeconds));
  }
  for (const over of mailboxes.value.filter(({ isOver }) => isOver.value)) removeMailbox(over.token);
  leaveMessage();
  // Another tab may have kept one since this one was opened.
  if (mailboxes.value.length === 0) syncMailboxes();
  const mailbox = addMailbox({ token, email, endsAt: Date.now() + inSeconds * 1000, isShared: false });
  // A new session has no messages, so its stream can start at once.
  mailbox.position.value = 0;
  mailbox.isListed.value = true;
  isForgotten.value = false;
}

/** Creates an address with one tap; further taps meanwhile do nothing. @throws ApiError */
export async function createNow(): Promise<void> {
  if (isCreating.value) return;
  isCreating.value = true;
  try {
    await createAddress();
  } finally {
    isCreating.value = false;
  }
  say(`${t('address.yours')}: ${current.value?.email ?? ''}`);
}

/** Creates the address of a first visit, one for all tabs, trying again while the service is unavailable. */
export async function createFirstAddress(): Promise<void> {
  creationError.value = null;
  isForgotten.value = false;
  try {
    const begun = takeFirstAnswer();
    if (begun && (await begun)) await createAddress({}, begun);
    else await inOneTab(createUnlessKept);
  } catch (error) {
    const failure = requireApiError(error);
    creationError.value = failure;
    if (failure.code === 'network' || failure.code === 'unavailable') {
      setTimeout(() => {
        if (creationError.value === failure && mailboxes.value.length === 0) void createFirstAddress();
      }, tryAgainMs);
    }
  } finally {
    window.firstKept?.();
  }
}

async function createUnlessKept(): Promise<void> {
  syncMailboxes();
  if (mailboxes.value.length === 0) await createAddress();
}

/** Returns the answer to what first-request.ts asked, once. */
function takeFirstAnswer(): Promise<Response | null> | undefined {
  const { firstAnswer } = window;
  delete window.firstAnswer;
  return firstAnswer;
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
  try {
    await endSession(mailbox.token);
  } catch (error) {
    if (!isSessionOver(error)) throw error;
  }
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

export function leaveMessage(): void {
  closeMessage();
  selectedId.value = null;
}
