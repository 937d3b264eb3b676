// What one webhook says: the event with the message's summary as check-mail has it, or the whole message where the
// operator wants that. Read when it is sent; once the session is over only ids and times are left. Used by the
// dispatcher.

import { createHash } from 'node:crypto';

import type { Session } from '../domain/session.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { type ListedMessage, toListedMessage } from '../service/check-mail.ts';
import { type FullMessage, loadMessage, type ReadMailDeps } from '../service/read-mail.ts';
import type { LiveSession } from '../service/session-access.ts';
import type { DueDelivery } from '../store/jobs-store.ts';

/** The HTTP interface's shapes of messages, handed in so that both say the same. */
export interface MessageViews {
  summary(listed: ListedMessage): object;
  full(message: FullMessage, live: LiveSession): object;
}

export interface WebhookContentDeps extends ReadMailDeps {
  readonly views: MessageViews;
  readonly payload: 'summary' | 'full';
}

/** The same for every try of a delivery, so that the receiver can drop repeats. */
export function webhookIdOf({ endpointId, key, seq, at, kind }: DueDelivery): string {
  const text = [endpointId, Buffer.from(key).toString('hex'), seq, at, kind].join(':');
  return `msg_${digest(text)}`;
}

/** Tells a session's webhooks from others' without the token or the address. */
function sessionIdOf(key: Uint8Array): string {
  return `ses_${digest(`session:${Buffer.from(key).toString('hex')}`)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}

export async function makeWebhookBody(deps: WebhookContentDeps, due: DueDelivery): Promise<string> {
  const lookup = await deps.mail.findSessionByKey(due.key);
  const shown = lookup.state === 'live' ? await show(deps, lookup, due) : {};
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

async function show(deps: WebhookContentDeps, live: LiveSession, due: DueDelivery): Promise<object> {
  const { session } = live;
  const email = session.address;
  if (due.kind === 'session.extended') return { email, expires_at: formatTimestamp(session.expiresAt) };
  if (due.kind !== 'message.received' || due.messageId === null) return { email };
  const message = await showMessage(deps, live, due.messageId);
  return message ? { email, message } : { email };
}

/** Undefined when it was deleted meanwhile. */
async function showMessage(
  deps: WebhookContentDeps,
  live: LiveSession,
  id: number,
): Promise<object | undefined> {
  if (deps.payload === 'full') {
    const full = await loadMessage(deps, live.session, id);
    return full && deps.views.full(full, live);
  }
  const listed = await findListed(deps, live.session, id);
  return listed && deps.views.summary(listed);
}

async function findListed(
  deps: WebhookContentDeps,
  session: Session,
  id: number,
): Promise<ListedMessage | undefined> {
  const stored = await deps.mail.findMessage(session.key, id);
  return stored && toListedMessage(deps.glances, session, stored);
}
