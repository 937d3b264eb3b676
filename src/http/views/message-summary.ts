// A message as listed by check-mail and read-mail.

import type { Static } from '#http-parts/json-schema';

import { formatTimestamp } from '#values/timestamp';
import type { ListedMessage } from '../../service/mail/check-mail.ts';
import type { messageSummary } from './schemas.ts';

export function toMessageSummary(listed: ListedMessage): Static<typeof messageSummary> {
  return {
    id: listed.id,
    sender_name: listed.senderName,
    sender_email: listed.senderEmail,
    subject: listed.subject,
    received_at: formatTimestamp(listed.receivedAt),
    size: listed.sizeBytes,
    raw_size: listed.rawSizeBytes,
    has_attachments: listed.hasAttachments,
    is_read: listed.isRead,
    in_spam: listed.isSpam,
    recipients: [...listed.recipients],
    tags: [...listed.tags],
    preview: listed.preview,
    code: listed.code,
  };
}
