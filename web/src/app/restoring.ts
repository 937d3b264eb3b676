// Opening addresses that this browser does not have: by a token or link that the reader pastes, or from a file saved
// before. The service is asked about each, and its answer alone says what address it is. Loaded with the dialog.
import { isSessionOver, requireApiError } from '../api/api-error.ts';
import { showSession } from '../api/operations.ts';
import { type FileEntry, formatAddressFile } from '../state/address-file.ts';
import { addMailbox, labelMailbox, mailboxes } from '../state/mailboxes.ts';
import { isReadOnly, mostSessions, parseToken } from '../state/stored-sessions.ts';
import { creationError, isForgotten, leaveMessage } from './addresses.ts';

/** `over`: ended, or never there; `failed`: the service could not tell. */
export type Outcome = 'taken' | 'known' | 'over' | 'wrong' | 'full' | 'failed';

export interface Restored {
  readonly outcome: Outcome;
  /** As the service tells it, else as the file does; empty for unknown. */
  readonly email: string;
}

/** A token as it stands, or within a link that opens an inbox. Undefined for anything else. */
export function findToken(text: string): string | undefined {
  return parseToken(text.trim().replace(/^.*#share=/s, ''));
}

/** @throws ApiError where the service could not tell */
export async function restoreToken(token: string): Promise<Restored> {
  const restored = await restore({ token, email: '', isShared: false, label: '' });
  leaveMessage();
  return restored;
}

/** One after another, so that a long file is no burst. `onResult` is called for each, in order. */
export async function restoreEntries(
  entries: readonly FileEntry[],
  onResult: (restored: Restored) => void,
): Promise<void> {
  for (const entry of entries) onResult(await restoreEntry(entry));
  leaveMessage();
}

async function restoreEntry(entry: FileEntry): Promise<Restored> {
  if (entry.token === null) return { outcome: 'wrong', email: '' };
  try {
    return await restore(entry);
  } catch (error) {
    requireApiError(error);
    return { outcome: 'failed', email: entry.email };
  }
}

async function restore({
  token,
  email: given,
  isShared,
  label,
}: Exclude<FileEntry, { token: null }>): Promise<Restored> {
  const known = mailboxes.value.find((mailbox) => mailbox.token === token && !mailbox.isOver.value);
  if (known) {
    if (known.label.value === '' && label !== '') labelMailbox(known, label);
    return { outcome: 'known', email: known.email };
  }
  if (mailboxes.value.filter(({ isOver }) => !isOver.value).length >= mostSessions) {
    return { outcome: 'full', email: given };
  }
  try {
    const { email, expires_in: inSeconds } = await showSession(token);
    const endsAt = Date.now() + inSeconds * 1000;
    addMailbox({ token, email, endsAt, isShared: isShared || isReadOnly(token), label });
    isForgotten.value = false;
    creationError.value = null;
    return { outcome: 'taken', email };
  } catch (error) {
    if (!isSessionOver(error)) throw error;
    return { outcome: 'over', email: given };
  }
}

/** How many addresses a file would hold. */
export function countSavable(): number {
  return savable().length;
}

/** Hands the file to the browser, which asks where to or puts it among the downloads. */
export function saveAddressFile(): void {
  const now = Date.now();
  const addresses = savable().map(({ token, email, endsAt, isShared, label }) => ({
    ...{ token, email, isShared, endsAt: endsAt.value, label: label.value },
  }));
  const url = URL.createObjectURL(
    new Blob([formatAddressFile(addresses, now)], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = `mayfly-addresses-${new Date(now).toISOString().slice(0, 10)}.json`;
  link.click();
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

function savable(): typeof mailboxes.value {
  return mailboxes.value.filter(({ isOver }) => !isOver.value);
}
