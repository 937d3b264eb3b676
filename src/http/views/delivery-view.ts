// Shows an entry of the delivery log to the session's holder, with its JSON schema.

import { type Static, Type } from '#http-parts/json-schema';

import { attemptLogMaxEntries } from '../../domain/attempt.ts';
import { formatTimestamp } from '#values/timestamp';
import { type OtherMail, otherMailShownMax } from '../../service/addresses/show-session.ts';
import type { LoggedAttempt } from '../../service/records/delivery-log.ts';
import { type RefusedRecipient, refusedShownMax } from '../../service/records/refused-recipients.ts';
import { count, messageId, orNull, text, timestamp } from './schemas.ts';

export const deliverySchema = Type.Object({
  at: timestamp('UTC.'),
  outcome: Type.Enum(['accepted', 'refused']),
  reply: text('The reply to the sender; for a Gmail alias, Gmail’s reply before the service saw the mail.'),
  size: orNull(count('Bytes received, else bytes declared; null if neither is known.')),
  remote_ip: text('Address of the sending server; empty if unknown to Gmail.'),
  tls: orNull(text('Version and cipher; null without TLS.')),
  mail_from: orNull(text('Sender of the envelope, which can be forged; null for the empty reverse-path.')),
  message_id: orNull(messageId('`id` of the message; null if it was refused or has been deleted.')),
});

export const deliveriesSchema = Type.Array(deliverySchema, {
  description:
    `The last ${attemptLogMaxEntries} attempts to deliver to this address since the session began, newest first. ` +
    'Of refused attempts at most one per second is kept; those refused before RCPT are not included.',
});

export const refusedRecipientSchema = Type.Object({
  at: timestamp('UTC.'),
  recipient: text('As the sender spelled it.'),
  reply: text('The reply to the sender.'),
});

export const nearMissesSchema = Type.Array(refusedRecipientSchema, {
  description:
    'Misspelt addresses: recipients that were refused within the last ten minutes because no session has them, and ' +
    `that are at most two letters off this session’s address, newest first, ${refusedShownMax} at most. Never one that ` +
    'is or was another session’s. Kept in memory; each of several processes of the service reports only its own.',
});

export const otherMailSchema = Type.Object({
  received_at: timestamp('UTC.'),
  recipients: Type.Array(Type.String(), { description: 'As the sender spelled them.' }),
  sender_email: text('Address of the sender; empty if unknown.'),
  subject: text('Subject.'),
});

export const otherMailsSchema = Type.Array(otherMailSchema, {
  description:
    'Only with `mayfly dev`: the newest mail, since this session began, that belongs to no session and so came to ' +
    `the shared one, ${otherMailShownMax} at most.`,
});

export function toOtherMail(mail: OtherMail): Static<typeof otherMailSchema> {
  return {
    received_at: formatTimestamp(mail.receivedAt),
    recipients: [...mail.recipients],
    sender_email: mail.senderEmail,
    subject: mail.subject,
  };
}

export function toRefusedRecipient({
  at,
  recipient,
  reply,
}: RefusedRecipient): Static<typeof refusedRecipientSchema> {
  return { at: formatTimestamp(at), recipient, reply };
}

export function toDelivery(attempt: LoggedAttempt): Static<typeof deliverySchema> {
  return {
    at: formatTimestamp(attempt.at),
    outcome: attempt.outcome,
    reply: attempt.reply,
    size: attempt.sizeBytes,
    remote_ip: attempt.remoteAddress,
    tls: attempt.tls,
    mail_from: attempt.mailFrom,
    message_id: attempt.messageId,
  };
}
