// Finds the folders of an account to poll, and where handled messages go: as set by the operator, else by the special
// use that the server reports (RFC 6154). Never guesses from names.

import { PollFailure } from './classify-failure.ts';
import type { ImapAccount, ImapConnection } from './imap-connection.ts';

export interface Folders {
  readonly inbox: string;
  readonly spam: string | undefined;
  readonly trash: string | undefined;
}

export async function findFolders(
  connection: ImapConnection,
  account: Pick<ImapAccount, 'inboxFolder' | 'spamFolder'>,
): Promise<Folders> {
  const listed = await connection.run((client) => client.list());
  const find = (use: string): string | undefined =>
    listed.find(({ flags }) => flags.has(use) && !flags.has('\\NonExistent'))?.path;
  return {
    inbox: account.inboxFolder ?? find('\\All') ?? 'INBOX',
    spam: account.spamFolder ?? find('\\Junk'),
    trash: find('\\Trash'),
  };
}

/**
 * Selects the folder, read-only unless `isWritable`.
 * @returns its UIDVALIDITY
 */
export async function openFolder(
  connection: ImapConnection,
  path: string,
  isWritable = false,
): Promise<number> {
  const mailbox = await connection
    .run((client) => client.mailboxOpen(path, { readOnly: !isWritable }))
    .catch((error: unknown) => {
      if ((error as { mailboxMissing?: unknown }).mailboxMissing !== true) throw error;
      throw new PollFailure('failing', `There is no folder ${JSON.stringify(path)}.`, error);
    });
  connection.uidNext = mailbox.uidNext || 0;
  const uidValidity = Number(mailbox.uidValidity);
  if (Number.isSafeInteger(uidValidity) && uidValidity > 0) return uidValidity;
  throw new PollFailure('failing', 'The server gives the folder no UIDVALIDITY.');
}
