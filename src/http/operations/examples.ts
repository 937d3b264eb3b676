// A session and a message for the document's examples. Typed by the schemas, so that an answer cannot change without
// its example.

import type { Static } from '#http-parts/json-schema';
import type { deliverySchema, refusedRecipientSchema } from '../views/delivery-view.ts';
import type { fullMessage } from '../views/full-message-schema.ts';
import type { messageSummary } from '../views/schemas.ts';
import type { webhookSchema } from '../views/webhook-view.ts';

export const email = 'quiet-fox@mayfly.test';
export const exampleExpiry = { expires_at: '2026-01-31 13:00:00', expires_in: 3540 };

const ticket = 'AAECAwQFBgcICQoLDA0ODw';

export const summaryExample: Static<typeof messageSummary> = {
  id: 1,
  sender_name: 'Brook Bank',
  sender_email: 'no-reply@brook.example',
  subject: 'Your code',
  received_at: '2026-01-31 12:01:00',
  size: 1342,
  raw_size: 1561,
  has_attachments: false,
  is_read: false,
  in_spam: false,
  recipients: [email],
  tags: [],
  preview: '482913 is your code. It is good for ten minutes.',
  code: '482913',
};

export const messageExample: Static<typeof fullMessage> = {
  ...summaryExample,
  is_read: true,
  to: [{ name: '', email }],
  cc: [],
  reply_to: [],
  date: '2026-01-31 12:00:58',
  message_id: '<8d1f@brook.example>',
  headers: [
    { name: 'From', value: 'Brook Bank <no-reply@brook.example>' },
    { name: 'To', value: email },
    { name: 'Subject', value: 'Your code' },
  ],
  text: '482913 is your code. It is good for ten minutes.\n\nhttps://brook.example/verify?c=482913\n',
  html: null,
  html_reason: null,
  html_url: null,
  remote_content: 0,
  remote_images: 0,
  attachments: [],
  codes: [{ value: '482913', kind: 'otp', confidence: 0.97, context: '482913 is your code.' }],
  links: [
    { url: 'https://brook.example/verify?c=482913', text: '', kind: 'verify', clickable: true, flags: [] },
  ],
  unsubscribe: { url: null, mailto: null, one_click: false },
  authentication: { spf: 'pass', dkim: 'none', dmarc: 'pass', arc: 'none' },
  authentication_details: {
    spf: { domain: 'brook.example', reason: null },
    dkim: { domain: null, reason: null, signatures: [] },
    dmarc: { domain: 'brook.example', policy: 'reject', reason: null },
    arc: { domain: null, reason: null },
  },
  authentication_doubt: null,
  envelope: {
    mail_from: 'no-reply@brook.example',
    rcpt_to: [email],
    tags: [],
    remote_ip: '192.0.2.7',
    tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
    helo: 'mail.brook.example',
  },
  parse: 'ok',
  parse_reason: null,
  raw_url: `/raw-mail?id=1&ticket=${ticket}`,
};

export const deliveryExample: Static<typeof deliverySchema> = {
  at: '2026-01-31 12:01:00',
  outcome: 'accepted',
  reply: '250 2.0.0 OK',
  size: 1342,
  remote_ip: '192.0.2.7',
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
  mail_from: 'no-reply@brook.example',
  message_id: 1,
};

export const refusedRecipientExample: Static<typeof refusedRecipientSchema> = {
  at: '2026-01-31 12:02:00',
  recipient: 'qiet-fox@mayfly.test',
  reply: '550 5.1.1 No such recipient',
};

export const webhookExample: Static<typeof webhookSchema> = {
  state: 'failing',
  last_error_code: 'answered_503',
  queued: 1,
  next_attempt_at: '2026-01-31 12:01:05',
};
