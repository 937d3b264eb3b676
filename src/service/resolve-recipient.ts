// Answers one RCPT: whose mailbox is it? Called by the receiving protocols before any body is taken. The commit
// checks again; this is where mail that nobody asked for is refused.

import { type Address, toAddressKey } from '../domain/address.ts';
import type { Session } from '../domain/session.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { SessionLimits } from './session-limits.ts';

/**
 * `foreign`: not a domain of ours. `unknown`: never lent, ended or in quarantine, told apart from each other by
 * nobody. `full`: the session's quota is used up.
 */
export type Resolution =
  | { readonly outcome: 'accepted'; readonly session: Session }
  | { readonly outcome: 'foreign' | 'unknown' | 'full' };

export interface ResolveRecipientDeps {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly limits: SessionLimits;
}

export async function resolveRecipient(deps: ResolveRecipientDeps, address: Address): Promise<Resolution> {
  const domains = await deps.directory.listDomains();
  if (!domains.some((domain) => domain.name === address.domain)) return { outcome: 'foreign' };
  const session = await deps.mail.findLiveSession(toAddressKey(address));
  if (!session) return { outcome: 'unknown' };
  const isFull =
    session.messageCount >= deps.limits.sessionMessages || session.messageBytes >= deps.limits.sessionBytes;
  return isFull ? { outcome: 'full' } : { outcome: 'accepted', session };
}
