// The link that opens an inbox elsewhere. Such a link can come from a stranger, so it never opens an inbox without the
// reader's consent. Loaded with the first of them.
import { signal } from '@preact/signals';

import { showSession } from '../api/operations.ts';
import { isSessionOver } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { addMailbox, mailboxes, removeMailbox } from '../state/mailboxes.ts';
import type { StoredSession } from '../state/addresses/stored-sessions.ts';
import { createFirstAddress, leaveMessage } from './addresses.ts';
import { closeDialog, openDialog, openMessageId } from './navigation.ts';
import { notify } from './notices.ts';
import { takeLinkedId } from './shared-token.ts';

/** The inbox that the reader is asked about; null for none. */
export const offered = signal<StoredSession | null>(null);

/**
 * Asks whether to open the inbox. Returns false when the session is over.
 * @throws ApiError for anything else
 */
export async function offerShared(token: string): Promise<boolean> {
  try {
    const { email, expires_in: inSeconds, standing, smtp } = await showSession(token);
    const endsAt = Date.now() + inSeconds * 1000;
    if (standing && smtp) {
      // The developer's own inbox, which the service's front page leads to, needs no warning.
      openStanding({ token, email, endsAt, isShared: false, smtp: toPlace(smtp) });
      return true;
    }
    // Already open here: nothing would be added.
    const isKnown = mailboxes.value.some((mailbox) => mailbox.token === token);
    offered.value = { token, email, endsAt, isShared: !isKnown };
    openDialog('offer');
    return true;
  } catch (error) {
    if (!isSessionOver(error)) throw error;
    notify({ kind: 'error', text: t('share.failed') });
    return false;
  }
}

function toPlace({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Earlier standing sessions ended with their service, which kept nothing. */
function openStanding(session: StoredSession): void {
  leaveMessage();
  addMailbox(session);
  for (const { token, smtp } of mailboxes.value) {
    if (smtp !== undefined && token !== session.token) removeMailbox(token);
  }
  openLinked();
}

function openLinked(): void {
  const id = takeLinkedId();
  if (id !== null) openMessageId.value = id;
}

export function acceptOffer(): void {
  const session = offered.value;
  offered.value = null;
  closeDialog();
  if (!session) return;
  leaveMessage();
  addMailbox(session);
  openLinked();
  notify({ kind: 'info', text: t('share.opened', { email: session.email }) });
}

/** Also called when the question is closed without an answer. */
export function declineOffer(): void {
  offered.value = null;
  closeDialog();
  if (mailboxes.value.length === 0) void createFirstAddress();
}
