// JSON schemas of answers that several operations share; they define the document and type the views. Input is
// declared in the operations' parameter tables.

import { Type, type ObjectSchema, type Properties } from '#http-parts/json-schema';

export function text(description: string): ReturnType<typeof Type.String> {
  return Type.String({ description });
}

export function count(description: string): ReturnType<typeof Type.Integer> {
  return Type.Integer({ minimum: 0, description });
}

export function messageId(description: string): ReturnType<typeof Type.Integer> {
  return Type.Integer({ minimum: 1, description });
}

export function timestamp(description: string): ReturnType<typeof Type.String> {
  return Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', description });
}

export const orNull = Type.Nullable;

export function success<T extends Properties>(
  properties: T,
): ObjectSchema<{ status: ReturnType<typeof succeeded> } & T & { warnings: ReturnType<typeof warned> }> {
  return Type.Object({ status: succeeded(), ...properties, warnings: warned() });
}

function warned() {
  return Type.Optional(
    Type.Array(Type.String(), {
      description: 'Parameters that were ignored and are probably mistakes. Absent when there are none.',
    }),
  );
}

function succeeded() {
  return Type.Literal('success');
}

export const expiry = {
  expires_at: timestamp('When the session ends, UTC.'),
  expires_in: count('Whole seconds left until then.'),
};

export const messageSummary = Type.Object({
  id: messageId('Increases within the session in order of arrival; `id` in the other operations.'),
  sender_name: text('Display name of From, empty if none.'),
  sender_email: text('Address of From, else the envelope’s sender, else empty.'),
  subject: text('Decoded, empty if none.'),
  received_at: timestamp('When the server accepted the message, UTC.'),
  size: count('Bytes as received.'),
  raw_size: count(
    'Bytes that raw-mail returns: as received, after the Return-Path and Received fields of this server.',
  ),
  has_attachments: orNull(
    Type.Boolean({ description: 'Null when unknown, because not all of the message could be read.' }),
  ),
  is_read: Type.Boolean({ description: 'Whether read-mail has returned it.' }),
  in_spam: Type.Boolean({ description: 'Whether Gmail had put it into the account’s spam folder.' }),
  recipients: Type.Array(Type.String(), {
    description: 'This session’s recipients in the envelope, as the sender spelled them.',
  }),
  tags: Type.Array(Type.String(), { description: 'Plus tags of these recipients, each once.' }),
  preview: text('First 120 characters of readable text.'),
  code: orNull(text('A one-time code found with confidence; null if none was found.')),
});

export const mailbox = Type.Object({
  name: text('Display name, empty if none.'),
  email: text('Empty if none.'),
});

export const failure = Type.Object({
  status: Type.Literal('error'),
  code: text('Stable; see the table of errors.'),
  message: text('One sentence for people.'),
  parameter: Type.Optional(text('The parameter at fault.')),
  request_id: text('Identifies the request in the operator’s log.'),
});
