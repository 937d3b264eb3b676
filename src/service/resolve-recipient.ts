// Answers one RCPT: whose mailbox is it? Called by the receiving protocols before any body is taken. The commit
// checks again; this is where mail that nobody asked for is refused.

import { type Address, toAddressKey } from '../domain/address.ts';
import { isCapture, parseCaptureDomain, toCaptureAddress } from '../domain/capture.ts';
import { toUntaggedKey } from '../domain/own-recipients.ts';
import type { Session, SessionKey } from '../domain/session.ts';
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

const toOperator: Resolution = { outcome: 'accepted', recipient: 'operator' };

/** RFC 5321 §4.5.1, RFC 2142 §5 and §4. */
const operatorLocalPart = /^(?:postmaster|abuse)$/i;

export interface ResolveRecipientDeps extends ReadThreads {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly limits: SessionLimits;
}

/** The most that a message to the recipient may have, as far as its quota goes. */
export function roomFor({ sessionBytes }: Pick<SessionLimits, 'sessionBytes'>, recipient: Recipient): number {
  if (!isSession(recipient)) return Infinity;
  return recipient.dropsOldest === true ? sessionBytes : Math.max(0, sessionBytes - recipient.messageBytes);
}

/** What a RCPT comes with. */
export interface RecipientContext {
  /** What the sender says the message will have (RFC 1870 §6.1); 0 when it says nothing. */
  readonly sizeBytes?: number | undefined;
  /** The capture session that the connection authenticated as. */
  readonly captureSession?: SessionKey | undefined;
}

/**
 * Looks for the recipient by its exact address, without its plus tag, by the label of its domain, and last by who is
 * connected: a connection that authenticated as a capture session has a mailbox for every address that is no other's.
 */
export async function resolveRecipient(
  deps: ResolveRecipientDeps,
  address: Address,
  context: RecipientContext = {},
): Promise<Resolution> {
  const isOperator = operatorLocalPart.test(address.localPart);
  if (address.domain === '' && address.localPart.toLowerCase() === 'postmaster') return toOperator;
  const domains = await deps.directory.listDomains();
  const exact = domains.find(({ name }) => name === address.domain);
  if (exact && isOperator) return toOperator;
  const capture = exact ? undefined : parseCaptureDomain(address);
  const domain = exact ?? (capture && domains.find(({ name }) => name === capture.parent));
  // A label that nobody has is looked up like one that somebody has: who asks must not tell them apart by time.
  const addressKey = capture ? toCaptureAddress(capture.label, capture.parent) : toAddressKey(address);
  const untaggedKey = exact?.takesPlusTags === true ? toUntaggedKey(address) : undefined;
  const find = (): Promise<Session | undefined> =>
    untaggedKey === undefined
      ? deps.mail.findLiveSession(addressKey)
      : findTagged(deps, addressKey, untaggedKey);
  const session =
    (domain && (await find())) ??
    (context.captureSession && (await findConnected(deps, context.captureSession)));
  if (session) return toSession(deps, session, context.sizeBytes);
  if (!domain) return { outcome: 'foreign' };
  if (!domain.discardsUnknown) return { outcome: 'unknown' };
  return { outcome: 'accepted', recipient: { nobodyAt: `@${domain.name}` } };
}

function toSession(deps: ResolveRecipientDeps, session: Session, sizeBytes = 0): Resolution {
  if (isFull(deps.limits, session, sizeBytes)) return { outcome: 'full', session };
  expectMail(deps, session);
  return { outcome: 'accepted', recipient: session };
}

/** Both at once, so that nothing tells by time which of them is there. */
async function findTagged(
  { mail }: ResolveRecipientDeps,
  addressKey: string,
  untaggedKey: string,
): Promise<Session | undefined> {
  const [exact, untagged] = await Promise.all([
    mail.findLiveSession(addressKey),
    mail.findLiveSession(untaggedKey),
  ]);
  return exact ?? untagged;
}

function isFull(
  { sessionMessages, sessionBytes }: SessionLimits,
  { messageCount, messageBytes, dropsOldest }: Session,
  sizeBytes: number,
): boolean {
  if (dropsOldest === true) return sizeBytes > sessionBytes;
  return (
    messageCount >= sessionMessages || messageBytes >= sessionBytes || messageBytes + sizeBytes > sessionBytes
  );
}

/** Looked up for each recipient: the session may have ended since its connection authenticated. */
async function findConnected({ mail }: ResolveRecipientDeps, key: SessionKey): Promise<Session | undefined> {
  const session = await mail.findLiveSession(key);
  return session && isCapture(session) ? session : undefined;
}
