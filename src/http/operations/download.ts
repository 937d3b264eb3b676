// GET /raw-mail and GET /attachment: content chosen by a sender, which browsers save and never show.

import { toStreamedBody } from '#http-parts/answer';
import { downloadHeaders, toDownloadType } from '#http-parts/download-headers';
import { type Operation, sessionOperation } from '../operation.ts';
import { messageIdParameter } from './parameters.ts';

export const rawMailPath = '/raw-mail';
export const attachmentPath = '/attachment';

/** The `part` of tickets for raw messages; no attachment has this id. */
export const rawTicketPart = 'raw';

const rawMailOperation = sessionOperation({
  name: 'rawMail',
  tag: 'Mail',
  method: 'GET',
  path: rawMailPath,
  summary: 'Download one message as received',
  description: 'Return-Path and Received fields of this server, then the bytes exactly as received.',
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
  tag: 'Mail',
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
    return {
      headers: downloadHeaders(toDownloadType(contentType), filename),
      body: toStreamedBody(attachment),
    };
  },
});

export const downloadOperations: readonly Operation[] = [rawMailOperation, attachmentOperation];
