// Reads messages ahead while the pointer or the keyboard rests on their row. The service leaves them unread until they
// are opened. Only a few are held, in memory, for a short time.
import type { FullMessage } from '../api/answers.ts';
import { ApiError } from '../api/api-error.ts';
import { readMail } from '../api/operations.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { linksHoldMs } from '../state/mail/links-hold.ts';
import { logFault } from './report-fault.ts';

interface Prefetched {
  readonly askedAt: number;
  /** Resolves with null if it could not be read. */
  readonly message: Promise<FullMessage | null>;
}

/** Longer than a pointer takes to pass over a row. */
const restMs = 100;
const mostHeld = 20;
/** Below the service's limit, to leave room for opening messages. */
const mostPerMinute = 30;
/** Larger messages are read only when opened. */
const largestBytes = 2_000_000;

/** Weak, so that entries go with their mailbox. */
const held = new WeakMap<Mailbox, Map<number, Prefetched>>();
let askedAt: readonly number[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

export function prefetchSoon(mailbox: Mailbox, id: number): void {
  cancelPrefetch();
  timer = setTimeout(() => {
    prefetch(mailbox, id);
  }, restMs);
}

export function cancelPrefetch(): void {
  clearTimeout(timer);
}

/** Returns the message read ahead if its links still hold, and drops it. */
export function takePrefetched(mailbox: Mailbox, id: number): Prefetched | undefined {
  cancelPrefetch();
  const found = held.get(mailbox)?.get(id);
  held.get(mailbox)?.delete(id);
  return found && isFresh(found) ? found : undefined;
}

function prefetch(mailbox: Mailbox, id: number): void {
  const known = mailbox.messages.value.find((message) => message.id === id);
  if (!known || known.size > largestBytes || mailbox.isReadOnly || !isWelcome(mailbox)) return;
  const ahead = held.get(mailbox) ?? new Map<number, Prefetched>();
  held.set(mailbox, ahead);
  const earlier = ahead.get(id);
  if (earlier && isFresh(earlier)) return;
  const now = Date.now();
  askedAt = [...askedAt.filter((at) => at > now - 60_000), now];
  const message = readMail(mailbox.token, id, { isPeek: true }).catch((error: unknown) => {
    // Opening the message requests it again and reports the error.
    if (!(error instanceof ApiError)) logFault(error);
    return null;
  });
  ahead.delete(id);
  ahead.set(id, { askedAt: now, message });
  // Iteration is in order of insertion: oldest first.
  for (const other of [...ahead.keys()].slice(0, Math.max(0, ahead.size - mostHeld))) ahead.delete(other);
}

/** Reads ahead only with capacity to spare, since the message may never be opened. */
function isWelcome({ connection, isOver }: Mailbox): boolean {
  const since = Date.now() - 60_000;
  if (isOver.value || askedAt.filter((at) => at > since).length >= mostPerMinute) return false;
  const saves =
    'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
  return !saves && navigator.onLine && connection.value !== 'waiting';
}

function isFresh({ askedAt: at }: Prefetched): boolean {
  return Date.now() - at < linksHoldMs;
}
