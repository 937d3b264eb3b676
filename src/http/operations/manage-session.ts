// GET /session, POST /extend-session, POST /end-session: operations on the session itself, for its holder.

import { Type } from '#http-parts/json-schema';

import { formatTimestamp } from '#values/timestamp';
import { sessionExpired } from '../../domain/gone.ts';
import type { SessionLimits } from '../../service/session/session-limits.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { onFullSchema, smtpSchema, toOnFull, toSmtp } from './capture-parameters.ts';
import {
  deliveriesSchema,
  nearMissesSchema,
  otherMailsSchema,
  toDelivery,
  toOtherMail,
  toRefusedRecipient,
} from '../views/delivery-view.ts';
import {
  deliveryExample,
  email as exampleEmail,
  exampleExpiry,
  refusedRecipientExample,
  webhookExample,
} from './examples.ts';
import { idParameter, lifetimeParameter, prefixParameter, styleParameter } from './parameters.ts';
import { count, expiry, success, text, timestamp } from '../views/schemas.ts';
import { toExpiry } from '../views/session-view.ts';
import { toWebhook, webhookSchema } from '../views/webhook-view.ts';

const email = text('The address.');

const showSessionOperation = sessionOperation({
  name: 'showSession',
  tag: 'Sessions',
  method: 'GET',
  path: '/session',
  summary: 'Show the session: address, expiry, counts, delivery log and webhook',
  description:
    '`webhook` is present only for a session created with a `webhook_url`, `smtp` and `on_full` only for a capture session, `standing` and `workers` only for the shared session of `mayfly dev`, `other_mail` only for other sessions of `mayfly dev`.',
  parameters: {},
  answers: success({
    email,
    created_at: timestamp('UTC.'),
    ...expiry,
    extendable_until: timestamp('The latest end that extensions can reach, UTC.'),
    message_count: count('Messages in the session; for a share of one message, 1 while it exists.'),
    message_bytes: count('Their raw bytes.'),
    deliveries: deliveriesSchema,
    near_misses: nearMissesSchema,
    other_mail: Type.Optional(otherMailsSchema),
    smtp: Type.Optional(smtpSchema),
    on_full: Type.Optional(onFullSchema),
    standing: Type.Optional(
      Type.Boolean({
        description:
          'Marks the shared session of `mayfly dev`, which receives all mail that belongs to no other session.',
      }),
    ),
    workers: Type.Optional(
      Type.Array(Type.Object({ name: text('As given at AUTH.'), token: text('Of the inbox.') }), {
        description: 'The inboxes of those that have logged in at SMTP, such as concurrent tests.',
      }),
    ),
    webhook: Type.Optional(webhookSchema),
  }),
  example: {
    status: 'success',
    email: exampleEmail,
    created_at: '2026-01-31 12:00:00',
    ...exampleExpiry,
    extendable_until: '2026-02-07 12:00:00',
    message_count: 1,
    message_bytes: 1342,
    deliveries: [deliveryExample],
    near_misses: [refusedRecipientExample],
    webhook: webhookExample,
  },
  errors: [],
  takesShare: true,
  async run({ services, smtp }, { live, share, caller }) {
    const { session, now } = live;
    const shown = await services.showSession(live, share);
    const { webhook, isStanding = false } = shown;
    const shownSmtp = share ? undefined : toSmtp(session, smtp, caller);
    return jsonAnswer({
      email: session.address,
      created_at: formatTimestamp(session.createdAt),
      ...toExpiry(session, now),
      extendable_until: formatTimestamp(session.latestEndAt),
      message_count: shown.messageCount,
      message_bytes: shown.messageBytes,
      deliveries: shown.attempts.map(toDelivery),
      near_misses: shown.nearMisses.map(toRefusedRecipient),
      ...(shown.otherMail ? { other_mail: shown.otherMail.map(toOtherMail) } : {}),
      ...(shownSmtp ? { smtp: shownSmtp, on_full: toOnFull(session) } : {}),
      ...(isStanding
        ? { standing: true, workers: shown.workers?.map(({ name, token }) => ({ name, token })) }
        : {}),
      ...(webhook ? { webhook: toWebhook(webhook) } : {}),
    });
  },
});

function extendSessionOperation(limits: SessionLimits): Operation {
  return sessionOperation({
    name: 'extendSession',
    tag: 'Sessions',
    method: 'POST',
    path: '/extend-session',
    summary: 'Move the end of the session to now + lifetime',
    description: 'Never earlier than before, never past the longest total lifetime.',
    parameters: { lifetime: lifetimeParameter(limits) },
    answers: success({ email, ...expiry }),
    example: { status: 'success', email: exampleEmail, ...exampleExpiry },
    errors: [],
    async run({ services, access }, { live, parameters }) {
      const session = await services.extendSession(live.session, parameters.lifetime);
      access.recordChanged(live.session, session.expiresAt);
      return jsonAnswer({ email: session.address, ...toExpiry(session, live.now) });
    },
  });
}

const renameSessionOperation = sessionOperation({
  name: 'renameSession',
  tag: 'Sessions',
  method: 'POST',
  path: '/rename-session',
  summary: 'Give the session another address',
  description:
    'Token, messages and end stay the same. The former address accepts no more mail and goes into quarantine; the ' +
    'session itself may return to it. Counts like `/create-session`. Not for Gmail aliases and capture sessions.',
  parameters: {
    prefix: prefixParameter('User name of the address, as for `/create-session`. Random when absent.'),
    style: styleParameter('Of a random name, as for `/create-session`.'),
    domain_id: idParameter(
      '`id` of a domain from `/domains`. The domain of the current address when absent.',
    ),
  },
  answers: success({ email: text('The new address.'), ...expiry }),
  example: { status: 'success', email: exampleEmail, ...exampleExpiry },
  errors: [
    'invalid_prefix',
    'reserved_prefix',
    'unknown_domain',
    'address_taken',
    'address_is_fixed',
    'no_domain_available',
    'blocked_network',
    'invalid_api_key',
    'insufficient_scope',
  ],
  async run({ services, access }, { live, parameters, caller }) {
    const { prefix, style, domain_id: domainId } = parameters;
    access.admitRename(caller, prefix);
    const session = await services.renameSession(live.session, { prefix, style, domainId });
    return jsonAnswer({ email: session.address, ...toExpiry(session, live.now) });
  },
});

const endSessionOperation = sessionOperation({
  name: 'endSession',
  tag: 'Sessions',
  method: 'POST',
  path: '/end-session',
  summary: 'End the session now',
  description: 'Its messages are gone for everyone, and its address accepts no more mail.',
  parameters: {},
  answers: success({ email }),
  example: { status: 'success', email: exampleEmail },
  errors: [],
  async run({ services, access }, { live: { session } }) {
    if (await services.endSession(session)) {
      access.recordChanged(session, null);
      return jsonAnswer({ email: session.address });
    }
    throw sessionExpired();
  },
});

export function sessionOperations(limits: SessionLimits): readonly Operation[] {
  return [showSessionOperation, extendSessionOperation(limits), renameSessionOperation, endSessionOperation];
}
