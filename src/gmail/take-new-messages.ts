// Checks a folder once: delivers everything that arrived since the last check, in order of UID, in batches of bounded
// memory. Called by the folder poller whenever there may be news.

import { fetchArrivals, type FetchedHeader, fetchHeaders, findNewUids } from '#imap-reader/fetch-messages';
import { classifyFailure, PollFailure } from '#imap-reader/classify-failure';
import { keepCleanup, markSeen } from './after-delivery.ts';
import { readAccount } from './poll-context.ts';
import { clockSlackMs, type Mailbox, takeMessage } from './take-message.ts';

/** Headers fetched at once, at most 64 KB each. */
const batchMessages = 25;
/** Above this many, arrival times are fetched first, so that the headers of old messages are not fetched at all. */
const arrivalsFrom = 5;
/** Arrival times fetched at once, about 70 bytes each. */
const arrivalsAtOnce = 250;
/** Tries before a message with an unusable response is skipped. */
const triesMax = 3;

/** How often the response for each UID was unusable. One per folder, across its connections. */
export type Stumbles = Map<number, number>;

export async function takeNewMessages(mailbox: Mailbox, stumbles: Stumbles): Promise<void> {
  const { context, connection, progress } = mailbox;
  for (let isPart = true; isPart && !context.signal.aborted;) {
    await progress.checkBudget(connection, 0);
    const found = await findNewUids(connection, progress.lastUid, await findOldest(mailbox));
    ({ isPart } = found);
    await takeFound(mailbox, stumbles, found.uids);
    if (!context.signal.aborted) await progress.moveTo(found.seenTo, connection);
  }
}

/**
 * Returns the instant before which no mail can be for a live session. Without one, that of a session about to be
 * created, since it must not miss mail that arrives meanwhile.
 */
async function findOldest({ context }: Mailbox): Promise<number> {
  const oldestAt = (await readAccount(context))?.oldestSessionAt ?? context.parts.now();
  return oldestAt - clockSlackMs;
}

/** Looks for sessions once more, after the UIDs were found, because a session is older than its mail. */
async function takeFound(mailbox: Mailbox, stumbles: Stumbles, uids: readonly number[]): Promise<void> {
  const { context, connection, progress } = mailbox;
  const oldestAt = uids.length > 0 ? (await readAccount(context))?.oldestSessionAt : undefined;
  if (oldestAt === undefined || oldestAt === null) {
    // No session waits for mail: do not even fetch the headers.
    progress.countUnmatched(uids.length);
    return;
  }
  for (let at = 0; at < uids.length && !context.signal.aborted; at += arrivalsAtOnce) {
    const part = uids.slice(at, at + arrivalsAtOnce);
    const recent = await leaveOutOld(mailbox, stumbles, { uids: part, oldestAt: oldestAt - clockSlackMs });
    await takeAll(mailbox, stumbles, recent);
    if (!context.signal.aborted) await progress.moveTo(part.at(-1) ?? 0, connection);
  }
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
    for (const fetched of await fetchAll(mailbox, batch)) {
      under = [fetched.uid];
      const taken = await takeMessage(mailbox, fetched);
      if (context.signal.aborted) return;
      if (!taken) continue;
      await keepCleanup(mailbox, taken);
      await markSeen(mailbox, taken);
      await progress.moveTo(taken.uid, connection);
    }
  } catch (error) {
    recordStumbles(stumbles, under, error);
    throw error;
  }
}

/**
 * Requests messages missing from a response, or without the header that their size promises, one by one before they
 * count as gone, because the parser or the server may have lost a line.
 * @throws PollFailure `broken` when a header is still missing
 */
async function fetchAll({ connection, context }: Mailbox, uids: readonly number[]): Promise<FetchedHeader[]> {
  const answered = await fetchHeaders(connection, uids);
  const fetched = answered.filter(hasHeader);
  const missing = uids.filter((uid) => !fetched.some((one) => one.uid === uid));
  let gone = 0;
  for (const uid of missing) {
    const [found] = uids.length > 1 ? await fetchHeaders(connection, [uid]) : answered;
    if (found && !hasHeader(found)) throw new PollFailure('broken', 'The server sent an empty header.');
    if (found) fetched.push(found);
    else gone += 1;
  }
  if (gone > 0) {
    context.parts.log.info('gmail.messages_gone', { account: context.account.id, messages: gone });
  }
  return fetched.sort((one, other) => one.uid - other.uid);
}

function hasHeader({ header, sizeBytes }: FetchedHeader): boolean {
  return header.length > 0 || sizeBytes === 0;
}

/** Asks for no arrival times where few messages are left, or after an unusable response. */
async function leaveOutOld(
  { connection, progress }: Mailbox,
  stumbles: Stumbles,
  { uids, oldestAt }: { readonly uids: readonly number[]; readonly oldestAt: number },
): Promise<readonly number[]> {
  if (uids.length <= arrivalsFrom || uids.some((uid) => stumbles.has(uid))) return uids;
  try {
    const arrivals = await fetchArrivals(connection, uids);
    // Without a time, the header decides.
    const recent = uids.filter((uid) => (arrivals.get(uid) ?? Infinity) >= oldestAt);
    progress.countUnmatched(uids.length - recent.length);
    return recent;
  } catch (error) {
    recordStumbles(stumbles, uids, error);
    throw error;
  }
}

/** Notes the messages whose response was unusable; of several, the culprit is not known yet. */
function recordStumbles(stumbles: Stumbles, under: readonly number[], error: unknown): void {
  if (classifyFailure(error).kind !== 'broken') return;
  for (const uid of under) stumbles.set(uid, (stumbles.get(uid) ?? 0) + (under.length === 1 ? 1 : 0));
}
