// Answers one RCPT: whose mailbox is it? Called by the receiving protocols before any body is taken. The commit
// checks again; this is where mail that nobody asked for is refused.

import { type Address, toAddressKey } from '../domain/address.ts';
import type { Session } from '../domain/session.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import { expectMail, type ReadThreads } from './expect-reads.ts';
import type { SessionLimits } from './session-limits.ts';

/**
 * `accepted`: a live session's address, one of the operator's, or nobody's in a domain that throws such mail away. `foreign`: not a domain of ours. `unknown`: never lent, ended or in quarantine, told apart from each other by
 * nobody. `full`: this session's quota is used up, or would be by this message.
 */
export type Resolution =
  | { readonly outcome: 'accepted'; readonly recipient: Recipient }
  | { readonly outcome: 'full'; readonly session: Session }
  | { readonly outcome: 'foreign' | 'unknown' };

/**
 * Whom a message is for: a session; the operator, who reads what comes to postmaster and abuse; or nobody, where a
 * domain takes what it will throw away.
 */
export type Recipient = Session | 'operator' | Nobody;

export interface Nobody {
  /** As an address of the domain ends: `@` and its name. */
  readonly nobodyAt: string;
}

export function isSession(recipient: Recipient): recipient is Session {
  return typeof recipient === 'object' && 'key' in recipient;
}

/** RFC 5321 §4.5.1, RFC 2142 §5 and §4. */
const operatorLocalPart = /^(?:postmaster|abuse)$/i;

export interface ResolveRecipientDeps extends ReadThreads {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly limits: SessionLimits;
}

/** The most that a message to the recipient may have, as far as its quota goes. */
export function roomFor({ sessionBytes }: Pick<SessionLimits, 'sessionBytes'>, recipient: Recipient): number {
  return isSession(recipient) ? Math.max(0, sessionBytes - recipient.messageBytes) : Infinity;
}

/** @param sizeBytes what the sender says the message will have (RFC 1870 §6.1); 0 when it says nothing */
export async function resolveRecipient(
  deps: ResolveRecipientDeps,
  address: Address,
  sizeBytes = 0,
): Promise<Resolution> {
  const isOperator = operatorLocalPart.test(address.localPart);
  if (address.domain === '' && address.localPart.toLowerCase() === 'postmaster') {
    return { outcome: 'accepted', recipient: 'operator' };
  }
  const domains = await deps.directory.listDomains();
  const domain = domains.find(({ name }) => name === address.domain);
  if (!domain) return { outcome: 'foreign' };
  if (isOperator) return { outcome: 'accepted', recipient: 'operator' };
  const session = await deps.mail.findLiveSession(toAddressKey(address));
  if (!session && domain.discardsUnknown) {
    return { outcome: 'accepted', recipient: { nobodyAt: `@${domain.name}` } };
  }
  if (!session) return { outcome: 'unknown' };
  const { sessionMessages, sessionBytes } = deps.limits;
  const isFull =
    session.messageCount >= sessionMessages ||
    session.messageBytes >= sessionBytes ||
    session.messageBytes + sizeBytes > sessionBytes;
  if (isFull) return { outcome: 'full', session };
  expectMail(deps, session);
  return { outcome: 'accepted', recipient: session };
}
