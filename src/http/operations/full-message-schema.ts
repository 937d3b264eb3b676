// The `message` of read-mail as a JSON schema.

import { Type } from 'typebox';

import { count, mailbox, messageSummary, orNull, text, timestamp } from './schemas.ts';

const attachment = Type.Object({
  id: text('`part` of /attachment.'),
  filename: text('Safe to show; the sender chose it.'),
  content_type: text('What the sender claims.'),
  size: count('Decoded bytes.'),
  disposition: Type.Union([Type.Literal('attachment'), Type.Literal('inline')]),
  content_id: orNull(text('Without angle brackets.')),
  url: text('Path with a ticket, good for five minutes.'),
});

const code = Type.Object({
  value: text('What one types.'),
  kind: text('`otp`, `pin`, `password` or `backup`.'),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  context: text('The words around it.'),
});

const link = Type.Object({
  url: text('As the sender wrote it; the host is never rewritten.'),
  text: text('The words that carry it, empty if none.'),
  kind: text('What it seems to be for.'),
});

const authentication = Type.Object(
  {
    spf: orNull(text('')),
    dkim: orNull(text('')),
    dmarc: orNull(text('')),
  },
  { description: 'Results of the sender’s authentication, null where not checked.' },
);

const envelope = Type.Object({
  mail_from: orNull(text('Null for the empty reverse-path.')),
  rcpt_to: Type.Array(Type.String(), { description: 'This session’s address as the sender spelled it.' }),
  remote_ip: text('Where it came from.'),
  tls: orNull(text('Version and cipher, null in the clear.')),
  helo: text('What the sender called itself.'),
});

export const fullMessage = Type.Object({
  ...messageSummary.properties,
  to: Type.Array(mailbox),
  cc: Type.Array(mailbox),
  reply_to: Type.Array(mailbox),
  date: orNull(timestamp('The Date field, UTC.')),
  message_id: orNull(Type.String()),
  headers: Type.Array(Type.Object({ name: Type.String(), value: text('Decoded.') }), {
    description: 'In order.',
  }),
  text: text('The readable text; show it as text.'),
  html: Type.Null({ description: 'Always null until HTML is sanitised here; raw HTML is never answered.' }),
  remote_content: count('References to remote content neutralised in `html`.'),
  attachments: Type.Array(attachment),
  codes: Type.Array(code, { description: 'One-time codes, best first.' }),
  links: Type.Array(link),
  authentication,
  envelope,
  parse: Type.Union([Type.Literal('ok'), Type.Literal('partial'), Type.Literal('failed')]),
  parse_reason: orNull(text('Why `parse` is not `ok`.')),
  raw_url: text('Path of the raw message with a ticket, good for five minutes.'),
});
