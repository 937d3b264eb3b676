// Caches answers of read-mail as sent, because generating their JSON and tickets is most of the cost of reading. An
// answer is valid until its tickets are due for renewal, its message is deleted or its session ends; a message already
// read changes in no other way. Used by read-mail's operation.

import { isUnfinished } from '#mail-receiver/authentication';
import type { FullMessage } from '../../service/mail/read-mail.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import type { Services } from '../../service/services.ts';
import type { CachedAnswer } from '../../service/mail/session-caches.ts';

type Keeping = Pick<Services, 'answers' | 'isRead'>;

/** The age up to which cached tickets are reused: a tenth of their life. */
const reuseMs = 30_000;
/** The size of an entry besides its bytes. */
const entryBytes = 512;

export async function findCachedAnswer(
  { answers, isRead }: Keeping,
  { session, now, shareId }: LiveSession,
  id: number,
): Promise<Buffer | undefined> {
  // Its tickets outlive a share.
  if (shareId !== undefined) return undefined;
  const cached = answers.get(session.key, String(id));
  if (!cached || now < cached.madeAt || now - cached.madeAt >= reuseMs) return undefined;
  if (cached.version !== session.version) {
    // The session has changed: it only matters whether the message still exists and is marked read.
    if (!(await isRead(session, id))) return undefined;
    cached.version = session.version;
  }
  return cached.body;
}

/** Returns the answer of `work`, cached when it is final. `work` must have marked the message read. */
export async function cacheAnswer(
  { answers }: Pick<Keeping, 'answers'>,
  { session, now }: LiveSession,
  { id, work }: { readonly id: number; readonly work: () => Promise<{ message: FullMessage; body: Buffer }> },
): Promise<Buffer> {
  const { body } = await answers.make(session.key, String(id), async () => {
    const made = await work();
    const value: CachedAnswer = { body: made.body, madeAt: now, version: session.version };
    return { value, weight: isFinal(made.message) ? made.body.length + entryBytes : Infinity };
  });
  return body;
}

function isFinal({ authentication, html }: FullMessage): boolean {
  return (authentication === null || !isUnfinished(authentication)) && html?.kind !== 'failed';
}
