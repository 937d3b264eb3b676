// Describes a session: its counts, its delivery log and its webhook.

import type { Session } from '../../domain/session.ts';
import type { Share } from '../../domain/share.ts';
import type { MailStore } from '../../store/mail-store.ts';
import type { DeliveryLog, LoggedAttempt } from '../records/delivery-log.ts';
import type { RefusedRecipient, RefusedRecipients } from '../records/refused-recipients.ts';
import type { LiveSession, OpenSession } from '../session/session-access.ts';
import type { SessionWebhook, SessionWebhooks } from './session-webhooks.ts';
import type { SharedInbox, Worker } from './standing-captures.ts';

export interface ShowSessionDeps {
  readonly mail: MailStore;
  readonly deliveryLog: Pick<DeliveryLog, 'listAttempts'>;
  readonly refusedRecipients: Pick<RefusedRecipients, 'listLike'>;
  readonly webhooks: Pick<SessionWebhooks, 'find'> | undefined;
  /** Undefined but for a developer's service. */
  readonly sharedInbox: SharedInbox | undefined;
  /** Lists the newest messages, newest first. */
  listNewest(session: OpenSession, limit: number): Promise<readonly OtherMail[]>;
}

export interface ShownSession extends Pick<Session, 'messageCount' | 'messageBytes'> {
  /** Newest first. */
  readonly attempts: readonly LoggedAttempt[];
  /** Newest first. */
  readonly nearMisses: readonly RefusedRecipient[];
  readonly webhook: SessionWebhook | undefined;
  /**
   * Whether this is the standing session, a developer's: it receives all mail that belongs to no other session, and
   * every client of the service can read it.
   */
  readonly isStanding?: boolean;
  /** Only of the standing session. */
  readonly workers?: readonly Worker[];
  /** Newest first; only where everyone can read the standing session, and it is not this one. */
  readonly otherMail?: readonly OtherMail[];
}

/** Mail that belongs to no session, and so came to the standing one. */
export interface OtherMail {
  /** ms since 1970. */
  readonly receivedAt: number;
  /** As the sender spelled them. */
  readonly recipients: readonly string[];
  readonly senderEmail: string;
  readonly subject: string;
}

export const otherMailShownMax = 10;

/** `share`: the share it is read by; undefined for its holder. */
export async function showSession(
  deps: ShowSessionDeps,
  live: LiveSession,
  share: Share | undefined,
): Promise<ShownSession> {
  const { session } = live;
  // The log names hosts and senders of mail that is not shared; the webhook belongs to the holder.
  if (share) {
    return {
      attempts: [],
      nearMisses: [],
      webhook: undefined,
      ...(await countShown(deps.mail, session, share)),
    };
  }
  const { messageCount, messageBytes } = session;
  const attempts = await deps.deliveryLog.listAttempts(session);
  const nearMisses = await deps.refusedRecipients.listLike(live);
  const webhook = await deps.webhooks?.find(session.key);
  return { attempts, nearMisses, messageCount, messageBytes, webhook, ...(await showShared(deps, session)) };
}

/**
 * Marks the shared session, which the page opens without asking. Other sessions are shown its newest mail, which a
 * misspelt recipient ends in; everyone can read it anyway.
 */
async function showShared(
  { sharedInbox, listNewest }: Pick<ShowSessionDeps, 'sharedInbox' | 'listNewest'>,
  { key, createdAt }: Session,
): Promise<Pick<ShownSession, 'isStanding' | 'workers' | 'otherMail'>> {
  if (!sharedInbox) return {};
  if (sharedInbox.has(key)) return { isStanding: true, workers: sharedInbox.workers() };
  const newest = await listNewest((await sharedInbox.get()).session, otherMailShownMax);
  return { otherMail: newest.filter(({ receivedAt }) => receivedAt >= createdAt) };
}

/** A share of one message does not reveal whether there are others. */
async function countShown(
  mail: MailStore,
  { key, messageCount, messageBytes }: Session,
  { messageId }: Share,
): Promise<Pick<Session, 'messageCount' | 'messageBytes'>> {
  if (messageId === null) return { messageCount, messageBytes };
  const message = await mail.findMessage(key, messageId);
  return { messageCount: message ? 1 : 0, messageBytes: message?.sizeBytes ?? 0 };
}
