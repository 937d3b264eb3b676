// Counts the messages that nothing has read, by address. Part of the composition root.

import type { SessionKey } from '../domain/session.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { SessionFinder } from '../store/session-finder.ts';

export interface InboxCount {
  /** The session's address; undefined for the inbox that all clients share. */
  readonly address: string | undefined;
  readonly messages: number;
  readonly unread: number;
}

interface ListUnreadDeps {
  readonly mail: Pick<MailStore, 'listMessages'>;
  readonly finder: Pick<SessionFinder, 'findLive'>;
  readonly isShared: (key: SessionKey) => boolean;
}

const sessionsMax = 10_000;
const pageSize = 500;

/** Returns the live sessions that hold messages, in order of address. */
export async function listUnread({ mail, finder, isShared }: ListUnreadDeps): Promise<readonly InboxCount[]> {
  const counts: InboxCount[] = [];
  for (const { key, address, messageCount } of await finder.findLive('', sessionsMax)) {
    if (messageCount === 0) continue;
    const unread = await countUnread(mail, key);
    counts.push({ address: isShared(key) ? undefined : address, messages: messageCount, unread });
  }
  return counts;
}

async function countUnread(mail: Pick<MailStore, 'listMessages'>, key: SessionKey): Promise<number> {
  let unread = 0;
  let after = 0;
  for (;;) {
    const page = await mail.listMessages(key, { after, limit: pageSize, order: 'oldest-first' });
    unread += page.filter(({ isRead }) => !isRead).length;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return unread;
    after = last.id;
  }
}
