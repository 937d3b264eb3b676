// Looks after one folder of an account for as long as the lease holds: connects, takes what is new, waits in IDLE or by
// the clock, and begins again when a connection fails. Two of them run for an account, each with one connection.

import type { AccountHealth } from './account-health.ts';
import { cleanUp } from './after-delivery.ts';
import { Backoff } from './backoff.ts';
import { type Failure, PollFailure } from './classify-failure.ts';
import { findFolders, openFolder } from './find-folders.ts';
import { FolderProgress, spentFailure } from './folder-progress.ts';
import { createPause, type Pause } from './pause.ts';
import { type FolderRole, type PollContext, readAccount } from './poll-context.ts';
import type { Mailbox } from './take-message.ts';
import { type Stumbles, takeNewMessages } from './take-new-messages.ts';

/** A connection that lasted so long was a good one. */
const goodConnectionMs = 30_000;
const dayMs = 86_400_000;

export interface FolderPoller {
  readonly context: PollContext;
  readonly role: FolderRole;
  readonly health: AccountHealth;
}

/** Ends when the polling of the account does, or at once where there is no such folder. Never rejects. */
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
      const { name, code } = error as { readonly name?: string; readonly code?: string };
      // Without its text, in which the server may have written anything.
      parts.log.info('gmail.connection_ended', { account: account.id, role, name, code });
      if (failure.kind === 'refused') {
        await health.refused(failure);
        return;
      }
      const retryMs = retryAfter(failure, backoff);
      await health.failed(role, failure, retryMs);
      pause.begin();
      await pause.rest(retryMs);
    }
  }
}

function retryAfter({ kind }: Failure, backoff: Backoff): number {
  // A minute past midnight, so that no two clocks disagree on the day.
  if (kind === 'spent') return dayMs - (Date.now() % dayMs) + 60_000;
  return backoff.next(kind === 'throttled');
}

interface Patience {
  readonly pause: Pause;
  readonly backoff: Backoff;
  readonly stumbles: Stumbles;
}

/** One connection from its opening to its end. Rejects when it fails. */
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
    await watchFolder(poller, mailbox, {
      ...waiting,
      cleanUp: () => cleanUp(mailbox, folders.trash, isMine),
    });
    return undefined;
  } finally {
    connection.close();
  }
}

/** Logging in costs bytes too. */
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
  /** Until there may be news, or it is time to ask. Rejects when nobody is there any more. */
  wait(): Promise<void>;
}

function createWaiter({ context, connection, role, folder, progress }: Mailbox, pause: Pause): Waiter {
  const { times, parts } = context;
  const clockMs = role === 'spam' ? parts.settings.spamCheckMs : times.noIdleMs;
  let hasIdle = role === 'inbox' && connection.client.capabilities.has('IDLE');
  let openedAt = performance.now();

  async function idle(): Promise<boolean> {
    let isOver = false;
    // An IDLE that ends by itself was refused, or the connection ended: from now on it goes by the clock.
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

  /** Ends the IDLE, hears of new messages, and finds out a connection that is only half there. */
  async function ask(): Promise<void> {
    if (performance.now() - openedAt < times.watchdogMs) {
      await connection.run((client) => client.noop());
      return;
    }
    // A folder that was replaced is told of by few servers: they go on showing what is left of the old one.
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
