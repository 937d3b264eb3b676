// Answers of read-mail that are given again as they went out: most of what reading a message costs is making its JSON
// and its tickets. An answer holds until its tickets are made anew, its message is deleted or its session ends; a
// message that is read already changes in no other way. Used by read-mail's operation.

import { isUnfinished } from '../../domain/authentication.ts';
import type { FullMessage } from '../../service/read-mail.ts';
import type { LiveSession } from '../../service/session-access.ts';
import type { Services } from '../../service/services.ts';
import type { KeptAnswer } from '../../service/session-caches.ts';
import { ticketLifetimeMs } from '../../secrets/ticket.ts';

type Keeping = Pick<Services, 'answers' | 'isRead'>;

/** Tickets in a kept answer are at most so old: a tenth of their life. */
const reuseMs = 30_000;
/** Of an entry, beside its bytes. */
const entryBytes = 512;

export async function findKeptAnswer(
  { answers, isRead }: Keeping,
  { session, now, linksEndAt = Infinity }: LiveSession,
  id: number,
): Promise<Buffer | undefined> {
  if (linksEndAt < now + ticketLifetimeMs) return undefined;
  const kept = answers.get(session.key, String(id));
  if (!kept || now < kept.madeAt || now - kept.madeAt >= reuseMs) return undefined;
  if (kept.version !== session.version) {
    // Something of the session has changed: whether the message is still there and marked is all that matters.
    if (!(await isRead(session, id))) return undefined;
    kept.version = session.version;
  }
  return kept.body;
}

/** What `work` made, kept when nothing in it is still to change. It must have marked the message read. */
export async function keepAnswer(
  { answers }: Pick<Keeping, 'answers'>,
  { session, now }: LiveSession,
  { id, work }: { readonly id: number; readonly work: () => Promise<{ message: FullMessage; body: Buffer }> },
): Promise<Buffer> {
  const { body } = await answers.make(session.key, String(id), async () => {
    const made = await work();
    const value: KeptAnswer = { body: made.body, madeAt: now, version: session.version };
    return { value, weight: isFinal(made.message) ? made.body.length + entryBytes : Infinity };
  });
  return body;
}

function isFinal({ authentication, html }: FullMessage): boolean {
  return (authentication === null || !isUnfinished(authentication)) && html?.kind !== 'failed';
}
