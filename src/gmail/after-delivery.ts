// Handles a message in the account after its delivery: leaves it, marks it as seen at once, or moves it to the trash
// when its sessions have ended. Touches only messages that were delivered to a session and are still the same; the
// folder is open for writing only during that.

import { PollFailure } from '#imap-reader/classify-failure';
import { fetchHeaders } from '#imap-reader/fetch-messages';
import { openFolder } from '#imap-reader/find-folders';
import type { ImapConnection } from '#imap-reader/imap-connection';
import type { GmailCleanup } from '../store/gmail-store.ts';
import { type Mailbox, tagOf, type TakenMessage } from './take-message.ts';

/** The most due messages handled in one go. */
const cleanupsAtOnce = 100;

/** Call before the cursor passes the message. */
export async function keepCleanup(mailbox: Mailbox, { uid, tag, sessions }: TakenMessage): Promise<void> {
  const { context, progress, folder } = mailbox;
  const { store, settings } = context.parts;
  if (settings.afterDelivery !== 'trash') return;
  const cleanup = { folder, uidValidity: progress.uidValidity, uid, messageTag: tag };
  await store.addCleanup(
    context.account.id,
    cleanup,
    sessions.map(({ key }) => key),
  );
}

export async function markSeen(mailbox: Mailbox, { uid }: TakenMessage): Promise<void> {
  const { context, connection } = mailbox;
  if (context.parts.settings.afterDelivery !== 'seen') return;
  await whileWritable(mailbox, () =>
    connection.run((client) => client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })),
  );
}

/** @param isMine whether this folder's poller handles messages of that folder */
export async function cleanUp(
  mailbox: Mailbox,
  trash: string | undefined,
  isMine: (folder: string) => boolean,
): Promise<void> {
  const { account, parts } = mailbox.context;
  const due = await parts.store.listDueCleanups(account.id, cleanupsAtOnce);
  const mine = due.filter(({ folder }) => isMine(folder));
  const { true: present = [], false: lost = [] } = groupByPresence(mailbox, mine);
  for (const { id } of lost) await finish(mailbox, id);
  if (present.length === 0) return;
  if (parts.settings.afterDelivery !== 'trash' || !canMove(mailbox.connection) || trash === undefined) {
    parts.log.warn('gmail.not_cleaned_up', {
      account: account.id,
      messages: present.length,
      has_trash: trash !== undefined,
    });
    for (const { id } of present) await finish(mailbox, id);
    return;
  }
  await whileWritable(mailbox, () => moveAll(mailbox, trash, present));
}

/** UIDs of another UIDVALIDITY, and of folders that are no longer polled, are meaningless. */
function groupByPresence(
  { folder, progress }: Mailbox,
  due: readonly GmailCleanup[],
): { readonly true?: readonly GmailCleanup[]; readonly false?: readonly GmailCleanup[] } {
  const isPresent = (cleanup: GmailCleanup): boolean =>
    cleanup.folder === folder && cleanup.uidValidity === progress.uidValidity;
  return { true: due.filter(isPresent), false: due.filter((cleanup) => !isPresent(cleanup)) };
}

/** Without either extension, a message could only be moved together with everything marked as deleted. */
function canMove({ client }: ImapConnection): boolean {
  return client.capabilities.has('MOVE') || client.capabilities.has('UIDPLUS');
}

async function moveAll(mailbox: Mailbox, trash: string, due: readonly GmailCleanup[]): Promise<void> {
  const { context, connection } = mailbox;
  for (const { id, uid, messageTag } of due) {
    if (context.signal.aborted) return;
    const [found] = await fetchHeaders(connection, [uid]);
    // The operator may have removed the message, or moved it and, on a faulty server, got another in its place.
    if (found && tagOf(context, found) === messageTag) {
      const moved = await connection.run((client) => client.messageMove(String(uid), trash, { uid: true }));
      if (!moved) {
        // The message stays due and is retried later.
        context.parts.log.warn('gmail.not_moved', { account: context.account.id });
        continue;
      }
    }
    await finish(mailbox, id);
  }
}

async function finish({ context }: Mailbox, id: number): Promise<void> {
  if (!(await context.parts.store.finishCleanup(context.lease, id))) context.stop();
}

async function whileWritable<T>(
  { connection, folder, progress }: Mailbox,
  work: () => Promise<T>,
): Promise<T> {
  const open = async (isWritable: boolean): Promise<void> => {
    if ((await openFolder(connection, folder, isWritable)) === progress.uidValidity) return;
    throw new PollFailure('failing', 'The folder was replaced meanwhile.');
  };
  await open(true);
  const result = await work();
  await open(false);
  return result;
}
