// Checks a folder once: delivers everything that arrived since the last check, in order of UID, in batches of bounded
// memory. Called by the folder poller whenever there may be news.

import { fetchArrivals, type FetchedHeader, fetchHeaders, findNewUids } from './fetch-messages.ts';
import { keepCleanup, markSeen } from './after-delivery.ts';
import { classifyFailure } from './classify-failure.ts';
import { readAccount } from './poll-context.ts';
import { type Mailbox, takeMessage } from './take-message.ts';

/** Headers fetched at once, at most 64 KB each. */
const batchMessages = 25;
/** Above this many, arrival times are fetched first, so that the headers of old messages are not fetched at all. */
const arrivalsFrom = 5;
/** Tries before a message with an unusable response is skipped. */
const triesMax = 3;

/** How often the response for each UID was unusable. One per folder, across its connections. */
export type Stumbles = Map<number, number>;

export async function takeNewMessages(mailbox: Mailbox, stumbles: Stumbles): Promise<void> {
  const { context, connection, progress } = mailbox;
  const oldestAt = context.parts.now() - context.parts.settings.sessionMaxMs;
  for (let isPart = true; isPart && !context.signal.aborted;) {
    await progress.checkBudget(connection, 0);
    const found = await findNewUids(connection, progress.lastUid, oldestAt);
    ({ isPart } = found);
    if (found.uids.length > 0 && (await hasSessions(mailbox))) {
      await takeAll(mailbox, stumbles, found.uids);
    } else {
      // No session waits for mail: do not even fetch the headers.
      progress.countUnmatched(found.uids.length);
    }
    if (!context.signal.aborted) await progress.moveTo(found.seenTo, connection);
  }
}

/** Checked after the UIDs were found, because a session is older than its mail. */
async function hasSessions({ context }: Mailbox): Promise<boolean> {
  return ((await readAccount(context))?.liveSessions ?? 0) > 0;
}

async function takeAll(mailbox: Mailbox, stumbles: Stumbles, uids: readonly number[]): Promise<void> {
  const { context, connection, progress } = mailbox;
  for (let at = 0; at < uids.length && !context.signal.aborted;) {
    const batch = uids.slice(at, at + batchSize(stumbles, uids.slice(at, at + batchMessages)));
    at += batch.length;
    await progress.checkBudget(connection, 0);
    const readable = batch.filter((uid) => (stumbles.get(uid) ?? 0) < triesMax);
    if (readable.length < batch.length) {
      context.parts.log.warn('gmail.message_passed_over', {
        account: context.account.id,
        role: mailbox.role,
      });
    }
    await takeBatch(mailbox, stumbles, readable);
    for (const uid of batch) stumbles.delete(uid);
    if (!context.signal.aborted) await progress.moveTo(batch.at(-1) ?? 0, connection);
  }
}

/** Returns 1 after an unusable response, until the culprit is known. */
function batchSize(stumbles: Stumbles, next: readonly number[]): number {
  return next.some((uid) => stumbles.has(uid)) ? 1 : next.length;
}

async function takeBatch(mailbox: Mailbox, stumbles: Stumbles, batch: readonly number[]): Promise<void> {
  const { context, connection, progress } = mailbox;
  let under = batch;
  try {
    const recent = batch.length > arrivalsFrom ? await leaveOutOld(mailbox, batch) : batch;
    if (recent.length === 0) return;
    for (const fetched of await fetchAll(mailbox, recent)) {
      under = [fetched.uid];
      const taken = await takeMessage(mailbox, fetched);
      if (context.signal.aborted) return;
      if (!taken) continue;
      await keepCleanup(mailbox, taken);
      await markSeen(mailbox, taken);
      await progress.moveTo(taken.uid, connection);
    }
  } catch (error) {
    if (classifyFailure(error).kind === 'broken') {
      for (const uid of under) stumbles.set(uid, (stumbles.get(uid) ?? 0) + (under.length === 1 ? 1 : 0));
    }
    throw error;
  }
}

/**
 * Requests messages missing from a response one by one before they count as gone, because the parser may have lost a
 * line.
 */
async function fetchAll({ connection, context }: Mailbox, uids: readonly number[]): Promise<FetchedHeader[]> {
  const fetched = await fetchHeaders(connection, uids);
  const missing = uids.filter((uid) => !fetched.some((one) => one.uid === uid));
  let gone = 0;
  for (const uid of missing) {
    const [found] = uids.length > 1 ? await fetchHeaders(connection, [uid]) : [];
    if (found) fetched.push(found);
    else gone += 1;
  }
  if (gone > 0) {
    context.parts.log.info('gmail.messages_gone', { account: context.account.id, messages: gone });
  }
  return fetched.sort((one, other) => one.uid - other.uid);
}

async function leaveOutOld(mailbox: Mailbox, batch: readonly number[]): Promise<readonly number[]> {
  const { context, connection, progress } = mailbox;
  const arrivals = await fetchArrivals(connection, batch);
  const oldestAt = context.parts.now() - context.parts.settings.sessionMaxMs;
  const recent = batch.filter((uid) => (arrivals.get(uid) ?? 0) >= oldestAt);
  progress.countUnmatched(batch.length - recent.length);
  return recent;
}
