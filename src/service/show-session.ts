// What a session shows of itself: its counts, the log of its deliveries and its webhook.

import type { Session } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { DeliveryLog, LoggedAttempt } from './delivery-log.ts';
import type { SessionWebhook, SessionWebhooks } from './session-webhooks.ts';

export interface ShowSessionDeps {
  readonly mail: MailStore;
  readonly deliveryLog: Pick<DeliveryLog, 'listAttempts'>;
  readonly webhooks?: Pick<SessionWebhooks, 'find'> | undefined;
}

export interface ShownSession extends Pick<Session, 'messageCount' | 'messageBytes'> {
  /** Newest first. */
  readonly attempts: readonly LoggedAttempt[];
  readonly webhook: SessionWebhook | undefined;
  /** It takes all mail that is no other session's, and whoever reaches the service reads it: a developer's. */
  readonly isStanding?: boolean;
}

/** `share`: by which the session is read, undefined for its holder. */
export async function showSession(
  deps: ShowSessionDeps,
  session: Session,
  share: Share | undefined,
): Promise<ShownSession> {
  // The log names hosts and senders of mail that is not shared; the webhook is the holder's.
  if (share) return { attempts: [], webhook: undefined, ...(await countShown(deps.mail, session, share)) };
  const { messageCount, messageBytes } = session;
  const attempts = await deps.deliveryLog.listAttempts(session);
  return { attempts, messageCount, messageBytes, webhook: await deps.webhooks?.find(session.key) };
}

/** A share for one message does not tell whether there are others. */
async function countShown(
  mail: MailStore,
  { key, messageCount, messageBytes }: Session,
  { messageId }: Share,
): Promise<Pick<Session, 'messageCount' | 'messageBytes'>> {
  if (messageId === null) return { messageCount, messageBytes };
  const message = await mail.findMessage(key, messageId);
  return { messageCount: message ? 1 : 0, messageBytes: message?.sizeBytes ?? 0 };
}
