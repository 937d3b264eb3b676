// Messages read ahead of being opened, while the pointer or the keyboard rests on their row. The service is asked to leave
// them unread; they are marked once they are opened. Few are held, in memory, and none for long.
import type { FullMessage } from '../api/answers.ts';
import { ApiError } from '../api/api-error.ts';
import { readMail } from '../api/operations.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { linksHoldMs } from '../state/links-hold.ts';
import { logFault } from './report-fault.ts';

interface Prefetched {
  readonly askedAt: number;
  /** Null where it could not be had. */
  readonly message: Promise<FullMessage | null>;
}

/** A pointer on its way elsewhere rests on nothing for so long. */
const restMs = 100;
const mostHeld = 20;
/** Below what the service allows, which opening messages needs as well. */
const mostPerMinute = 30;
/** Larger ones are worth waiting for when they are wanted. */
const largestBytes = 2_000_000;

/** Gone with their mailbox. */
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

/** What was read ahead, if it still holds, and no longer held then. */
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
    // It is asked for once more when it is opened, and then said what is wrong.
    if (!(error instanceof ApiError)) logFault(error);
    return null;
  });
  ahead.delete(id);
  ahead.set(id, { askedAt: now, message });
  // The oldest stand first.
  for (const other of [...ahead.keys()].slice(0, Math.max(0, ahead.size - mostHeld))) ahead.delete(other);
}

/** Only where there is room for it: nobody has asked for the message yet. */
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
