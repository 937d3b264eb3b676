// The open message: read when it is opened, and again when its links have expired. Started once by app/start.ts.
import { effect, signal, untracked } from '@preact/signals';

import type { FullMessage } from '../api/answers.ts';
import { ApiError, isSessionOver, requireApiError } from '../api/api-error.ts';
import { markMails, readMail } from '../api/operations.ts';
import { coarseNow } from '../state/clock.ts';
import { linksHoldMs } from '../state/mail/links-hold.ts';
import { type Mailbox, markRead, readId } from '../state/mailbox.ts';
import { current } from '../state/mailboxes.ts';
import { loadKeeping } from './kept-pages.ts';
import { openMessageId } from './navigation.ts';
import { takePrefetched } from './prefetching.ts';
import { logFault } from './report-fault.ts';

export interface Reading {
  readonly mailbox: Mailbox;
  readonly id: number;
  readonly message: FullMessage | null;
  /** When it was read, which decides whether its links still hold. */
  readonly readAt: number;
  readonly error: ApiError | null;
  /** Kept by this browser and shown because the service does not answer; its links do not work. */
  readonly isKept: boolean;
}

/** Null while no message is open. */
export const reading = signal<Reading | null>(null);

export function startReading(): void {
  renewFailed();
  effect(() => {
    const mailbox = current.value;
    const id = openMessageId.value;
    const isOver = mailbox?.isOver.value ?? true;
    return untracked(() => {
      readId.value = id;
      if (!mailbox || id === null) {
        reading.value = null;
        return undefined;
      }
      if (isOver) {
        showOver(mailbox, id);
        return undefined;
      }
      const leaving = new AbortController();
      reading.value = { mailbox, id, message: null, error: null, isKept: false, readAt: 0 };
      void read({ mailbox, id }, leaving.signal);
      return () => {
        leaving.abort();
      };
    });
  });
}

/** The message on the screen stays; no other can be read any more. */
function showOver(mailbox: Mailbox, id: number): void {
  const { value: open } = reading;
  if (open?.message && open.mailbox === mailbox && open.id === id) return;
  const error = new ApiError('session_expired');
  reading.value = { mailbox, id, message: null, error, isKept: false, readAt: 0 };
}

/** Reads what could not be read, or was kept, anew: when the service answers again, and at times while it does. */
function renewFailed(): void {
  effect(() => {
    const { value: state } = current.value?.connection ?? {};
    void coarseNow.value;
    const { error, isKept } = reading.peek() ?? {};
    const isAnswering = state === 'live' || state === 'polling';
    if (isAnswering && (isKept || (error && !isGone(error)))) untracked(() => void readAgain());
  });
}

export async function readAgain(): Promise<void> {
  const { value } = reading;
  if (value) await read(value, new AbortController().signal);
}

/** The message or error that is shown stays until there is another. */
async function read({ mailbox, id }: Pick<Reading, 'mailbox' | 'id'>, signal: AbortSignal): Promise<void> {
  const show = (more: Partial<Reading>): void => {
    const { value: now } = reading;
    if (signal.aborted || now?.mailbox !== mailbox || now.id !== id) return;
    reading.value = { mailbox, id, message: null, error: null, isKept: false, readAt: Date.now(), ...more };
  };
  try {
    const ahead = takePrefetched(mailbox, id);
    const message = await ahead?.message;
    if (message) {
      show({ message, readAt: ahead?.askedAt ?? 0 });
      recordRead(mailbox, id);
    }
    const read = message ?? (await readMail(mailbox.token, id, { signal }));
    if (!message) show({ message: read });
    markRead(mailbox, id);
    loadKeeping().then(({ keepMail }) => {
      keepMail(mailbox, read);
    }, logFault);
  } catch (error) {
    if (signal.aborted) return;
    const failure = requireApiError(error);
    const isAway = failure.code === 'network' || failure.code === 'unavailable';
    const kept = isAway ? await (await loadKeeping()).findKept(mailbox, id) : null;
    show(kept ? { message: kept, isKept: true } : { error: failure });
  }
}

/** Reading ahead leaves a message unread. If this mark is lost, the next opening makes it. */
function recordRead(mailbox: Mailbox, id: number): void {
  if (mailbox.messages.value.find((message) => message.id === id)?.is_read !== false) return;
  markMails(mailbox.token, [id], true).catch((error: unknown) => {
    requireApiError(error);
  });
}

/**
 * Returns the message with valid links: the given one, or read anew.
 * @throws ApiError
 */
export async function withFreshLinks({
  mailbox,
  id,
  message,
  readAt,
  isKept,
}: Reading): Promise<FullMessage> {
  if (message && !isKept && Date.now() - readAt < linksHoldMs) return message;
  const fresh = await readMail(mailbox.token, id);
  if (reading.value?.id === id && reading.value.mailbox === mailbox) {
    reading.value = { ...reading.value, message: fresh, readAt: Date.now(), isKept: false };
  }
  return fresh;
}

/** Reports whether the message can never be read again. */
export function isGone(error: ApiError): boolean {
  return error.code === 'message_not_found' || isSessionOver(error);
}
