// GET /raw-mail and GET /attachment: bytes of a sender's choosing. A browser saves them and never shows them.

import { toStreamedBody } from '../answer.ts';
import { attachmentDisposition } from '../content-disposition.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { messageIdParameter } from './parameters.ts';

/** Of all types a sender may claim, those that no viewer takes for a program. */
const harmlessTypes: ReadonlySet<string> = new Set([
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);

function downloadHeaders(contentType: string, filename: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': attachmentDisposition(filename),
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

export const rawMailPath = '/raw-mail';
export const attachmentPath = '/attachment';

/** The `part` of tickets for raw messages; no attachment has this id. */
export const rawTicketPart = 'raw';

const rawMailOperation = sessionOperation({
  name: 'rawMail',
  method: 'GET',
  path: rawMailPath,
  summary: 'Download one message as it came',
  description: 'Return-Path and Received fields of this server, then the bytes exactly as they came.',
  parameters: { id: messageIdParameter },
  answers: 'message/rfc822',
  errors: ['message_not_found'],
  takesShare: true,
  ticketScope: ({ id }) => ({ messageId: id, part: rawTicketPart }),
  async run({ services }, { live, parameters }) {
    const raw = await services.readRawMail(live.session, parameters.id);
    return {
      headers: downloadHeaders('message/rfc822', `message-${parameters.id}.eml`),
      body: toStreamedBody(raw),
    };
  },
});

const attachmentOperation = sessionOperation({
  name: 'attachment',
  method: 'GET',
  path: attachmentPath,
  summary: 'Download one attachment',
  parameters: {
    id: messageIdParameter,
    part: { kind: 'text', required: true, description: '`id` of an attachment from read-mail.' },
  },
  answers: 'application/octet-stream',
  errors: ['message_not_found', 'attachment_not_found'],
  takesShare: true,
  ticketScope: ({ id, part }) => ({ messageId: id, part }),
  async run({ services }, { live, parameters: { id, part } }) {
    const attachment = await services.readAttachment(live.session, { id, part });
    const { contentType, filename } = attachment;
    const type = harmlessTypes.has(contentType) ? contentType : 'application/octet-stream';
    return { headers: downloadHeaders(type, filename), body: toStreamedBody(attachment) };
  },
});

export const downloadOperations: readonly Operation[] = [rawMailOperation, attachmentOperation];
