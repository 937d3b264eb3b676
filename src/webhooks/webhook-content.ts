// The content of a webhook: the event with the message's summary as in check-mail, or the whole message if the operator
// configured that. Read when the webhook is sent; after the session's end only ids and times are left. Used by the
// dispatcher.

import { createHash } from 'node:crypto';

import { isSessionGone } from '../domain/gone.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { ListedMessage } from '../service/mail/check-mail.ts';
import type { FullMessage } from '../service/mail/read-mail.ts';
import type { Services } from '../service/services.ts';
import { type LiveSession, openAlone } from '../service/session/session-access.ts';
import type { DueWebhook } from '../store/jobs-store.ts';

/** The HTTP interface's views of messages, passed in so that both show the same. */
export interface MessageViews {
  summary(listed: ListedMessage): object;
  full(message: FullMessage, live: LiveSession): object;
}

export type WebhookServices = Pick<Services, 'findSession' | 'findListedMessage' | 'loadMessage'>;

export interface WebhookContent {
  readonly services: WebhookServices;
  readonly views: MessageViews;
  readonly payload: 'summary' | 'full';
}

/** The same for every try of a delivery, so that receivers can drop duplicates. */
export function webhookIdOf({ endpointId, key, seq, at, kind }: DueWebhook): string {
  const text = [endpointId, Buffer.from(key).toString('hex'), seq, at, kind].join(':');
  return `msg_${digest(text)}`;
}

/** Identifies a session to webhook receivers without its token or address. */
function sessionIdOf(key: Uint8Array): string {
  return `ses_${digest(`session:${Buffer.from(key).toString('hex')}`)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}

export async function makeWebhookBody(content: WebhookContent, due: DueWebhook): Promise<string> {
  const lookup = await content.services.findSession(due.key);
  const shown =
    lookup.state === 'live'
      ? await showUnlessGone(content, { session: openAlone(lookup.session), now: lookup.now }, due)
      : {};
  return JSON.stringify({
    type: due.kind,
    timestamp: new Date(due.at).toISOString(),
    data: {
      session: sessionIdOf(due.key),
      seq: due.seq,
      ...(due.messageId === null ? {} : { id: due.messageId }),
      ...shown,
    },
  });
}

async function showUnlessGone(content: WebhookContent, live: LiveSession, due: DueWebhook): Promise<object> {
  try {
    return await show(content, live, due);
  } catch (error) {
    if (isSessionGone(error)) return {};
    throw error;
  }
}

async function show(content: WebhookContent, live: LiveSession, due: DueWebhook): Promise<object> {
  const { session } = live;
  const email = session.address;
  if (due.kind === 'session.extended') return { email, expires_at: formatTimestamp(session.expiresAt) };
  if (due.kind !== 'message.received' || due.messageId === null) return { email };
  const message = await showMessage(content, live, due.messageId);
  return message ? { email, message } : { email };
}

/** Resolves with undefined when it was deleted meanwhile. */
async function showMessage(
  { services, payload, views }: WebhookContent,
  live: LiveSession,
  id: number,
): Promise<object | undefined> {
  if (payload === 'full') {
    const full = await services.loadMessage(live.session, id);
    return full && views.full(full, live);
  }
  const listed = await services.findListedMessage(live.session, id);
  return listed && views.summary(listed);
}
