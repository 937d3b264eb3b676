// Resolves the recipient of one RCPT. Called by the receiving protocols before any message data, to refuse unwanted
// mail early; the commit checks again.

import { type Address, toAddressKey } from '#mail-receiver/address';
import { toAsciiDomain } from '#mail-receiver/ascii-domain';
import {
  isCapture,
  parseCaptureDomain,
  toCaptureAddress,
  toUntaggedKey,
} from '../../domain/addresses/capture.ts';
import type { Session, SessionKey } from '../../domain/session.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { MailStore } from '../../store/mail-store.ts';
import type { OperatorMailbox } from '../../store/operator-mailbox.ts';
import { expectMail, type ReadThreads } from '../session/expect-reads.ts';
import type { Recipient } from '../session/recipient.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import type { SharedInbox } from '../addresses/standing-captures.ts';

/**
 * `accepted`: the address of a live session or of the operator, or any in a domain that silently discards mail for
 * unknown recipients. `foreign`: not in our domains. `unknown`: never used, ended or in quarantine, which callers
 * cannot tell apart. `full`: the quota of the session, or of the operator's mailbox, is used up or would be by a message
 * of the declared size.
 */
export type Resolution =
  | { readonly outcome: 'accepted'; readonly recipient: Recipient }
  | { readonly outcome: 'full'; readonly recipient: Session | 'operator' }
  | { readonly outcome: 'foreign' | 'unknown' };

/** RFC 5321 §4.5.1, RFC 2142 §5 and §4. */
const operatorLocalPart = /^(?:postmaster|abuse)$/i;

export interface ResolveRecipientDeps extends ReadThreads {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly operatorMailbox: Pick<OperatorMailbox, 'isFull'>;
  readonly limits: SessionLimits;
  /** Takes mail that belongs to no session; undefined but for a developer's service. */
  readonly sharedInbox: SharedInbox | undefined;
}

/** The context of a RCPT. */
export interface RecipientContext {
  /** The declared size of the message (RFC 1870 §6.1); 0 when there is none. */
  readonly sizeBytes?: number | undefined;
  /** The capture session that the connection authenticated as. */
  readonly captureSession?: SessionKey | undefined;
}

/**
 * Tries the exact address, the address without its plus tag, the label of its domain, and last the connection: one
 * that authenticated as a capture session accepts every address that no one else holds.
 */
export async function resolveRecipient(
  deps: ResolveRecipientDeps,
  named: Address,
  { sizeBytes, captureSession }: RecipientContext = {},
): Promise<Resolution> {
  const address = withAsciiDomain(named);
  const connected = captureSession ?? (await deps.sharedInbox?.get())?.session.key;
  const context: RecipientContext = { sizeBytes, captureSession: connected };
  const isOperator = operatorLocalPart.test(address.localPart);
  if (address.domain === '' && address.localPart.toLowerCase() === 'postmaster') {
    return toOperator(deps, context);
  }
  const domains = await deps.directory.listDomains();
  const exact = domains.find(({ name }) => name === address.domain);
  if (exact && isOperator) return toOperator(deps, context);
  const capture = exact ? undefined : parseCaptureDomain(address);
  const domain = exact ?? (capture && domains.find(({ name }) => name === capture.parent));
  // Look up unused labels too, so that timing does not reveal which are in use.
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
  return { outcome: 'accepted', recipient: { unknownAt: `@${domain.name}` } };
}

/** With SMTPUTF8 senders may write domains in U-labels (RFC 6531 §3.2); ours are kept in A-labels. */
function withAsciiDomain(address: Address): Address {
  if (!/[^\x00-\x7f]/.test(address.domain)) return address;
  return { ...address, domain: toAsciiDomain(address.domain) ?? address.domain };
}

async function toOperator(
  { operatorMailbox }: ResolveRecipientDeps,
  { sizeBytes = 0 }: RecipientContext,
): Promise<Resolution> {
  const isFull = await operatorMailbox.isFull(sizeBytes);
  return { outcome: isFull ? 'full' : 'accepted', recipient: 'operator' };
}

function toSession(deps: ResolveRecipientDeps, session: Session, sizeBytes = 0): Resolution {
  if (isFull(deps.limits, session, sizeBytes)) return { outcome: 'full', recipient: session };
  expectMail(deps, session);
  return { outcome: 'accepted', recipient: session };
}

/** Looks up both at once, so that timing does not reveal which of them exists. */
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

/**
 * Reports whether the session refuses a message of the declared size, which is 0 when there is none. Asked before the
 * message is sent: what was accepted then is stored if the session is still below its quota.
 */
export function isFull(
  { sessionMessages, sessionBytes }: SessionLimits,
  { messageCount, messageBytes, dropsOldest }: Session,
  sizeBytes: number,
): boolean {
  if (dropsOldest === true) return sizeBytes > sessionBytes;
  return (
    messageCount >= sessionMessages || messageBytes >= sessionBytes || messageBytes + sizeBytes > sessionBytes
  );
}

/** Looked up for each recipient, because the session may have ended since the connection authenticated. */
async function findConnected({ mail }: ResolveRecipientDeps, key: SessionKey): Promise<Session | undefined> {
  const session = await mail.findLiveSession(key);
  return session && isCapture(session) ? session : undefined;
}
