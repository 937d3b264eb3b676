// The message that is open: read when it is opened, and again when its links have run out. Started once by app/start.ts.
import { effect, signal, untracked } from '@preact/signals';

import type { FullMessage } from '../api/answers.ts';
import { type ApiError, isSessionOver, requireApiError } from '../api/api-error.ts';
import { readMail } from '../api/operations.ts';
import { type Mailbox, markRead } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { openMessageId } from './navigation.ts';

export interface Reading {
  readonly mailbox: Mailbox;
  readonly id: number;
  readonly message: FullMessage | null;
  /** When it was read, for the links in it. */
  readonly readAt: number;
  readonly error: ApiError | null;
}

/** Null while no message is open. */
export const reading = signal<Reading | null>(null);

/** Links in an answer hold five minutes. */
const linksHoldMs = 4 * 60_000;

export function startReading(): void {
  effect(() => {
    const mailbox = current.value;
    const id = openMessageId.value;
    const isOver = mailbox?.isOver.value ?? true;
    return untracked(() => {
      if (!mailbox || id === null || isOver) {
        reading.value = null;
        return undefined;
      }
      const leaving = new AbortController();
      void read(mailbox, id, leaving.signal);
      return () => {
        leaving.abort();
      };
    });
  });
}

export async function readAgain(): Promise<void> {
  const { value } = reading;
  if (value) await read(value.mailbox, value.id, new AbortController().signal);
}

async function read(mailbox: Mailbox, id: number, signal: AbortSignal): Promise<void> {
  const show = (message: FullMessage | null, error: ApiError | null): void => {
    if (!signal.aborted) reading.value = { mailbox, id, message, error, readAt: Date.now() };
  };
  show(null, null);
  try {
    const message = await readMail(mailbox.token, id, signal);
    show(message, null);
    markRead(mailbox, id);
  } catch (error) {
    if (!signal.aborted) show(null, requireApiError(error));
  }
}

/**
 * A message whose links still hold: the one given, or read anew.
 * @throws ApiError
 */
export async function withFreshLinks({ mailbox, id, message, readAt }: Reading): Promise<FullMessage> {
  if (message && Date.now() - readAt < linksHoldMs) return message;
  const fresh = await readMail(mailbox.token, id);
  if (reading.value?.id === id && reading.value.mailbox === mailbox) {
    reading.value = { ...reading.value, message: fresh, readAt: Date.now() };
  }
  return fresh;
}

/** Whether nobody will ever read it again. */
export function isGone(error: ApiError): boolean {
  return error.code === 'message_not_found' || isSessionOver(error);
}
