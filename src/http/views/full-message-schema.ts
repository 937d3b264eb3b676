// The JSON schema of read-mail's `message`.

import { Type } from '#http-parts/json-schema';

import {
  authenticationDetailsSchema,
  authenticationDoubtSchema,
  authenticationSchema,
} from './authentication-view.ts';
import { count, mailbox, messageSummary, orNull, text, timestamp } from './schemas.ts';

export const attachment = Type.Object({
  id: text('`part` of /attachment.'),
  filename: text('The sender’s choice, made safe to show.'),
  content_type: text('The type given by the sender.'),
  picture_type: orNull(
    text(
      'The type of a picture by its first bytes, with which /inline-image shows it; null for anything else.',
    ),
  ),
  size: count('Decoded bytes.'),
  disposition: Type.Enum(['attachment', 'inline']),
  content_id: orNull(text('Without angle brackets.')),
  url: text('Path with a ticket, valid for about five minutes.'),
});

export const code = Type.Object({
  value: text('The code to type in.'),
  kind: text('`otp`, `pin`, `pickup`, `password`, `backup` or `quoted`.'),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  context: text('The words around it.'),
});

export const link = Type.Object({
  url: text(
    'Any address that the message offers, of web pages and apps, forms and image maps; absolute. The host is never rewritten.',
  ),
  text: text('The linked words, empty if none.'),
  kind: text('The apparent purpose.'),
  clickable: Type.Boolean({
    description:
      'Whether it is a link that a person can follow in the message as it is shown: http, https, mailto, tel and sms. ' +
      'Addresses of apps, forms and image maps are only listed.',
  }),
  flags: Type.Array(Type.Enum(['punycode', 'mismatch', 'userinfo']), {
    description: 'Why the address may be misleading.',
  }),
});

export const unsubscribe = Type.Object(
  {
    url: orNull(text('http or https.')),
    mailto: orNull(text('A mailto: address.')),
    one_click: Type.Boolean({ description: 'Whether a POST to `url` suffices (RFC 8058).' }),
  },
  { description: 'The List-Unsubscribe field; the service never follows it.' },
);

export const envelope = Type.Object({
  mail_from: orNull(text('Null for the empty reverse-path.')),
  rcpt_to: Type.Array(Type.String(), {
    description: 'This session’s recipients as the sender spelled them.',
  }),
  tags: Type.Array(Type.String(), { description: 'Plus tags of these recipients, each once.' }),
  remote_ip: text('Address of the sending server; empty if unknown to Gmail.'),
  tls: orNull(text('Version and cipher; null without TLS.')),
  helo: text('The server’s name for itself in EHLO; empty if unknown to Gmail.'),
});

export const headerField = Type.Object({ name: Type.String(), value: text('Decoded.') });

export const fullMessage = Type.Object({
  ...messageSummary.properties,
  to: Type.Array(mailbox),
  cc: Type.Array(mailbox),
  reply_to: Type.Array(mailbox),
  date: orNull(timestamp('The Date field, UTC.')),
  message_id: orNull(Type.String()),
  headers: Type.Array(headerField, { description: 'In order.' }),
  text: text('The readable text; show it as text.'),
  html: orNull(
    text(
      'Sanitised, without remote content; null if none. Still show it only in a sandboxed frame, or use html_url.',
    ),
  ),
  html_reason: orNull(text('Why `html` is null although the message has HTML.')),
  html_url: orNull(
    text('Path of the framed document with a ticket, valid for about five minutes; null without HTML.'),
  ),
  remote_content: count('References to remote content neutralised in `html`.'),
  remote_images: count('How many of these are images, which html_url with `remote=1` loads.'),
  attachments: Type.Array(attachment),
  codes: Type.Array(code, { description: 'One-time codes, best first.' }),
  links: Type.Array(link),
  unsubscribe,
  authentication: authenticationSchema,
  authentication_details: authenticationDetailsSchema,
  authentication_doubt: authenticationDoubtSchema,
  envelope,
  parse: Type.Enum(['ok', 'partial', 'failed']),
  parse_reason: orNull(text('Why `parse` is not `ok`.')),
  raw_url: text('Path of the raw message with a ticket, valid for about five minutes.'),
});
