// Opens addresses that this browser does not have: from a token or link that the reader pastes, or from a saved file.
// The service is asked about each and its answer alone is trusted. Loaded with the dialog.
import { isSessionOver, requireApiError } from '../api/api-error.ts';
import { showSession } from '../api/operations.ts';
import { type FileEntry, formatAddressFile } from '../state/addresses/address-file.ts';
import { addMailbox, labelMailbox, mailboxes } from '../state/mailboxes.ts';
import { isReadOnly, mostSessions, parseToken } from '../state/addresses/stored-sessions.ts';
import { creationError, isForgotten, leaveMessage } from './addresses.ts';

/** `over`: ended, or never existed; `failed`: the service gave no answer. */
export type Outcome = 'taken' | 'known' | 'over' | 'wrong' | 'full' | 'failed';

export interface Restored {
  readonly outcome: Outcome;
  /** From the service, else from the file; empty if unknown. */
  readonly email: string;
}

/** Finds a token by itself or in a link that opens an inbox; undefined for anything else. */
export function findToken(text: string): string | undefined {
  return parseToken(text.trim().replace(/^.*#share=/s, ''));
}

/** @throws ApiError when the service gives no answer */
export async function restoreToken(token: string): Promise<Restored> {
  const restored = await restore({ token, email: '', isShared: false, label: '' });
  leaveMessage();
  return restored;
}

/** Runs one after another, so that a long file is not a burst. Calls `onResult` for each, in order. */
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

/** The number of addresses that a file would hold. */
export function countSavable(): number {
  return savable().length;
}

/** Hands the file to the browser as a download. */
export function saveAddressFile(): void {
  const now = Date.now();
  const addresses = savable().map(({ token, email, endsAt, isShared, label }) => ({
    token,
    email,
    isShared,
    endsAt: endsAt.value,
    label: label.value,
  }));
  const url = URL.createObjectURL(
    new Blob([formatAddressFile(addresses, now)], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = `mayfly-addresses-${new Date(now).toISOString().slice(0, 10)}.json`;
  link.click();
  // Once the download has begun it no longer needs the URL.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

function savable(): typeof mailboxes.value {
  return mailboxes.value.filter(({ isOver }) => !isOver.value);
}
