// The event of a webhook, and of a new message what webhook-contents made of it while it was in hand. After
// the session's end only ids and times are left. Nothing stored is opened but that content. Used by deliver-webhook.

import { createHash } from 'node:crypto';

import type { WebhookEvent } from '#notifications/send-webhook';
import type { Session } from '../domain/session.ts';
import { formatTimestamp } from '#values/timestamp';
import type { Services } from '../service/services.ts';
import type { DueWebhook } from '../store/jobs-store.ts';
import type { WebhookContents } from './webhook-contents.ts';

export interface WebhookContent {
  readonly services: Pick<Services, 'findSession' | 'hasMessage'>;
  readonly contents: Pick<WebhookContents, 'find'>;
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

/** Resolves with undefined while the message's content is expected to come. */
export async function makeWebhookEvent(
  content: WebhookContent,
  due: DueWebhook,
): Promise<WebhookEvent | undefined> {
  const lookup = await content.services.findSession(due.key);
  const shown = lookup.state === 'live' ? await show(content, lookup.session, due) : {};
  if (shown === 'soon') return undefined;
  return {
    type: due.kind,
    timestamp: new Date(due.at).toISOString(),
    data: {
      session: sessionIdOf(due.key),
      seq: due.seq,
      ...(due.messageId === null ? {} : { id: due.messageId }),
      ...shown,
    },
  };
}

async function show(content: WebhookContent, session: Session, due: DueWebhook): Promise<object | 'soon'> {
  const email = session.address;
  if (due.kind === 'session.extended') return { email, expires_at: formatTimestamp(session.expiresAt) };
  if (due.kind !== 'message.received' || due.messageId === null) return { email };
  // It may have been deleted meanwhile.
  if (!(await content.services.hasMessage(session, due.messageId))) return { email };
  const found = await content.contents.find(due);
  if (found === 'soon') return found;
  return { email, ...(found ?? { content: 'gone' }) };
}
