// Polls one folder of an account while the lease is held: connects, fetches new messages, waits in IDLE or by the
// clock, and reconnects after failures. Two run per account, each with one connection.

import { createPause, type Pause } from '#networks/pause';
import { Backoff } from '#imap-reader/backoff';
import { type Failure, PollFailure } from '#imap-reader/classify-failure';
import { findFolders, openFolder } from '#imap-reader/find-folders';
import { codeOf } from '#system-errors/error-code';
import type { AccountHealth } from './account-health.ts';
import { cleanUp } from './after-delivery.ts';
import { FolderProgress, spentFailure } from './folder-progress.ts';
import { type FolderRole, type PollContext, readAccount } from './poll-context.ts';
import type { Mailbox } from './take-message.ts';
import { type Stumbles, takeNewMessages } from './take-new-messages.ts';

/** A connection that lasted this long was healthy. */
const goodConnectionMs = 30_000;
const dayMs = 86_400_000;

export interface FolderPoller {
  readonly context: PollContext;
  readonly role: FolderRole;
  readonly health: AccountHealth;
}

/** Ends when polling of the account ends, or at once if there is no such folder. Never rejects. */
export async function pollFolder(poller: FolderPoller): Promise<void> {
  const { context, role, health } = poller;
  const { account, parts, signal, times, logins } = context;
  const pause = createPause(signal);
  const backoff = new Backoff(times);
  const stumbles: Stumbles = new Map();
  while (!signal.aborted) {
    try {
      const served = await serveConnection(poller, { pause, backoff, stumbles });
      if (served === 'absent') return;
    } catch (error) {
      if (signal.aborted) return;
      const failure = logins.classify(error);
      const name = error instanceof Error ? error.name : undefined;
      // Without the error's text, which the server controls.
      parts.log.info('gmail.connection_ended', { account: account.id, role, name, code: codeOf(error) });
      if (failure.kind === 'refused') {
        await health.refused(failure);
        return;
      }
      const retryMs = retryAfter(failure, backoff, parts.now());
      await health.failed(role, failure, retryMs);
      pause.begin();
      await pause.rest(retryMs);
    }
  }
}

function retryAfter({ kind }: Failure, backoff: Backoff, now: number): number {
  // A minute past midnight.
  if (kind === 'spent') return dayMs - (now % dayMs) + 60_000;
  return backoff.next(kind === 'throttled');
}

interface Patience {
  readonly pause: Pause;
  readonly backoff: Backoff;
  readonly stumbles: Stumbles;
}

/** Serves one connection from start to end. Rejects when it fails. */
async function serveConnection(poller: FolderPoller, waiting: Patience): Promise<'absent' | undefined> {
  const { context, role } = poller;
  await refuseSpentDay(context);
  const connection = await context.logins.open(context.signal);
  try {
    const folders = await findFolders(connection, context.account);
    const folder = role === 'inbox' ? folders.inbox : folders.spam;
    if (folder === undefined || (role === 'spam' && folder === folders.inbox)) return 'absent';
    const uidValidity = await openFolder(connection, folder);
    const progress = await FolderProgress.open(context, connection, { folder, uidValidity });
    const mailbox: Mailbox = { context, connection, progress, role, folder };
    const isMine = (name: string): boolean =>
      name === folder || (role === 'inbox' && name !== folders.inbox && name !== folders.spam);
    try {
      const cleanUpFolder = (): Promise<void> => cleanUp(mailbox, folders.trash, isMine);
      await watchFolder(poller, mailbox, { ...waiting, cleanUp: cleanUpFolder });
    } finally {
      await progress.keepBytes(connection);
    }
    return undefined;
  } finally {
    connection.close();
  }
}

/** Checked before connecting, because even a login uses bytes. @throws PollFailure when the day's bytes are used up */
async function refuseSpentDay(context: PollContext): Promise<void> {
  const { dayMaxBytes } = context.parts.settings;
  if (dayMaxBytes === 0) return;
  const account = await readAccount(context);
  if ((account?.bytesToday ?? 0) >= dayMaxBytes) throw spentFailure(dayMaxBytes);
}

async function watchFolder(
  { context, role, health }: FolderPoller,
  mailbox: Mailbox,
  { pause, backoff, stumbles, cleanUp }: Patience & { readonly cleanUp: () => Promise<void> },
): Promise<void> {
  const { connection, progress } = mailbox;
  const openedAt = performance.now();
  let cleanedAt = -Infinity;
  const waiter = createWaiter(mailbox, pause);
  connection.onNews(() => {
    pause.wake();
  });
  while (!context.signal.aborted) {
    pause.begin();
    const { lastUid } = progress;
    await takeNewMessages(mailbox, stumbles);
    await health.succeeded(role);
    if (progress.lastUid > lastUid || performance.now() - openedAt > goodConnectionMs) backoff.reset();
    if (performance.now() - cleanedAt >= context.times.cleanupMs) {
      cleanedAt = performance.now();
      await cleanUp();
    }
    await waiter.wait();
  }
}

interface Waiter {
  /** Waits until there may be news or the next check is due. Rejects when the connection is dead. */
  wait(): Promise<void>;
}

function createWaiter({ context, connection, role, folder, progress }: Mailbox, pause: Pause): Waiter {
  const { times, parts } = context;
  const clockMs = role === 'spam' ? parts.settings.spamCheckMs : times.noIdleMs;
  let hasIdle = role === 'inbox' && connection.client.capabilities.has('IDLE');
  let openedAt = performance.now();

  async function idle(): Promise<boolean> {
    let isOver = false;
    // IDLE ended by itself: it was refused, or the connection ended. Fall back to the clock.
    const end = (): void => {
      if (isOver) return;
      hasIdle = false;
      pause.wake();
    };
    connection.client.idle().then(end, end);
    const isWoken = await pause.rest(Math.min(times.watchdogMs, times.cleanupMs));
    isOver = true;
    return isWoken;
  }

  /** Ends IDLE, collects news, and detects a half-open connection. */
  async function ask(): Promise<void> {
    if (performance.now() - openedAt < times.watchdogMs) {
      await connection.run((client) => client.noop());
      return;
    }
    // Few servers report that a folder was replaced; they keep showing the old one.
    openedAt = performance.now();
    hasIdle = role === 'inbox' && connection.client.capabilities.has('IDLE');
    if ((await openFolder(connection, folder)) === progress.uidValidity) return;
    throw new PollFailure('failing', 'The folder was replaced.');
  }

  return {
    async wait() {
      const isWoken = hasIdle ? await idle() : await pause.rest(Math.min(clockMs, times.cleanupMs));
      if (!isWoken || connection.isClosed()) await ask();
    },
  };
}
