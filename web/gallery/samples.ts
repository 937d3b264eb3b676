// Mail and addresses for the gallery. Its test sets the clock to `sampleNow`.
import type { Delivery, FullMessage, MessageSummary } from '../src/api/answers.ts';
import { createMailbox, type Mailbox } from '../src/state/mailbox.ts';
import type { StoredSession } from '../src/state/addresses/stored-sessions.ts';

export const sampleNow = Date.UTC(2026, 4, 4, 9, 41);
const minuteMs = 60_000;

export function sampleMailbox(
  session: Partial<StoredSession> & { readonly minutes?: number } = {},
  messages: readonly MessageSummary[] = [],
): Mailbox {
  const { minutes = 60, ...rest } = session;
  const mailbox = createMailbox({
    token: `mft_${rest.email ?? 'amber'}`,
    email: 'amber.fox42@mail.example',
    endsAt: sampleNow + minutes * minuteMs,
    isShared: false,
    ...rest,
  });
  mailbox.isListed.value = true;
  mailbox.connection.value = 'live';
  mailbox.messages.value = messages;
  return mailbox;
}

let lastId = 100;

export function sampleSummary(changes: Partial<MessageSummary> = {}): MessageSummary {
  return {
    id: lastId++,
    sender_name: 'Brook Bank',
    sender_email: 'security@brookbank.example',
    subject: 'Your verification code',
    received_at: '2026-05-04 09:40:50',
    size: 2048,
    has_attachments: false,
    is_read: true,
    preview: 'It is valid for ten minutes.',
    code: null,
    ...changes,
  };
}

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP4z8Dwn4GBgYGB4T8AFgYC/vuR3UAAAAAASUVORK5CYII=';

export function sampleMessage(changes: Partial<FullMessage> = {}): FullMessage {
  const check = { domain: 'brookbank.example', reason: null };
  return {
    ...sampleSummary(),
    to: [{ name: '', email: 'amber.fox42@mail.example' }],
    cc: [],
    reply_to: [],
    headers: [
      { name: 'From', value: 'Brook Bank <security@brookbank.example>' },
      { name: 'Subject', value: 'Your verification code' },
    ],
    text: 'Your verification code is 482913.\n\nSign in: https://brookbank.example/login\n',
    html_reason: null,
    html_url: null,
    remote_images: 2,
    attachments: [
      attachment('tickets.pdf', 'application/pdf', 48_211),
      attachment('', 'application/octet-stream', 912),
      { ...attachment('river.png', 'image/png', 120_400), url: picture },
    ],
    codes: [
      { value: '482913', kind: 'otp', confidence: 1, context: '' },
      { value: 'K7Q2', kind: 'otp', confidence: 0.6, context: '' },
    ],
    links: [
      link('https://brookbank.example/verify?x=1', 'verify', []),
      link('http://xn--brokbank-3ya.example/login', 'login', ['punycode', 'mismatch']),
    ],
    unsubscribe: { url: 'https://brookbank.example/unsubscribe', mailto: null },
    authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
    authentication_details: { spf: check, dkim: check, dmarc: check, arc: check },
    authentication_doubt: null,
    envelope: {
      remote_ip: '192.0.2.7',
      tls: 'TLSv1.3',
      mail_from: 'bounces@brookbank.example',
      rcpt_to: ['amber.fox42@mail.example'],
    },
    parse: 'ok',
    raw_url: '',
    ...changes,
  };
}

function attachment(filename: string, type: string, size: number): FullMessage['attachments'][number] {
  const id = `a${filename.length}`;
  const picture_type = type.startsWith('image/') ? type : null;
  return { id, filename, content_type: type, picture_type, size, disposition: 'attachment', url: `#${id}` };
}

function link(
  url: string,
  kind: string,
  flags: FullMessage['links'][number]['flags'],
): FullMessage['links'][number] {
  return { url, text: '', kind, clickable: true, flags };
}

const deliveries: readonly Delivery[] = [
  delivery({ outcome: 'refused', reply: '552 5.2.2 Mailbox full', message_id: null }),
  delivery({ tls: null, mail_from: null }),
  delivery({}),
];

function delivery(changes: Partial<Delivery>): Delivery {
  return {
    at: '2026-05-04 09:38:00',
    outcome: 'accepted',
    reply: '250 2.0.0 Taken',
    size: 2048,
    remote_ip: '192.0.2.7',
    tls: 'TLSv1.3',
    mail_from: 'bounces@brookbank.example',
    message_id: 7,
    ...changes,
  };
}

/** Path → the service's answer. */
export const sampleAnswers: Readonly<Record<string, unknown>> = {
  domains: {
    domains: [
      { id: 1, domain: 'mail.example' },
      { id: 2, domain: 'post.example' },
    ],
    gmail_accounts: [{ id: 1, email: 'lent@gmail.com' }],
  },
  session: {
    email: 'amber.fox42@mail.example',
    expires_at: '2026-05-04 10:41:00',
    expires_in: 3600,
    extendable_until: '2026-05-05 09:41:00',
    deliveries,
  },
  'create-share': { share: 'mfs_sample' },
};
