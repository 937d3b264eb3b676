// Downloads, which browsers save and never show.

import { downloadHeaders, toDownloadType } from '#http-parts/download-headers';
import { toStreamedBody } from '#http-parts/answer';
import { sessionRoute } from '../dialect.ts';
import { parseAttachmentId, parseMessageId } from './ids.ts';
import { toServerId } from './server-id.ts';

export const fileRoutes = [
  sessionRoute(
    'GET /api/files/attachments/:id',
    'an attachment',
    async ({ services }, { live: { session }, parameters }) => {
      const wanted = parseAttachmentId(parameters['id'] ?? '', toServerId(session));
      const attachment = await services.readAttachment(session, wanted);
      return {
        headers: downloadHeaders(toDownloadType(attachment.contentType), attachment.filename),
        body: toStreamedBody(attachment),
      };
    },
  ),
  sessionRoute(
    'GET /api/files/email/:id',
    'the message as received',
    async ({ services }, { live: { session }, parameters }) => {
      const id = parseMessageId(parameters['id'] ?? '', toServerId(session));
      const raw = await services.readRawMail(session, id);
      return { headers: downloadHeaders('message/rfc822', `message-${id}.eml`), body: toStreamedBody(raw) };
    },
  ),
];
