// Reads all messages of a session, oldest first, one after another: never more than a chunk of one is in memory.

import type { OpenSession } from '../session/session-access.ts';
import { openMeta } from '../session/open-meta.ts';
import { type ReadMailDeps, readRawStored } from './read-mail.ts';

export interface ExportedMessage {
  /** Null for `<>`. */
  readonly mailFrom: string | null;
  /** ms since 1970. */
  readonly receivedAt: number;
  /** As raw-mail has it. @throws MayflyError message_not_found when it is deleted meanwhile */
  readonly pieces: AsyncIterable<Buffer>;
}

const pageSize = 100;

/** Those that were there at the beginning. @throws MayflyError session_expired */
export async function* exportMail(
  deps: Pick<ReadMailDeps, 'mail' | 'hostname'>,
  session: OpenSession,
): AsyncGenerator<ExportedMessage, void> {
  let after = 0;
  for (;;) {
    const page = await deps.mail.listMessages(session.key, { after, limit: pageSize, order: 'oldest-first' });
    for (const stored of page) {
      if (stored.id > session.seq) return;
      const { mailFrom } = openMeta(session, stored).envelope;
      const { pieces } = readRawStored(deps, session, stored);
      yield { mailFrom, receivedAt: stored.receivedAt, pieces };
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.id;
  }
}
