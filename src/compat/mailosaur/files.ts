// Downloads, which browsers save and never show.

import { downloadHeaders, toDownloadType } from '../../http/answers/download-headers.ts';
import { toStreamedBody } from '../../http/answers/answer.ts';
import type { CompatApp, CompatContext } from '../dialect.ts';
import { parseAttachmentId, parseMessageId } from './ids.ts';
import { toServerId } from './server-id.ts';

export function addFileRoutes(app: CompatApp, { services }: Pick<CompatContext, 'services'>): void {
  app.add({
    method: 'GET',
    path: '/api/files/attachments/:id',
    async serve(call) {
      const { session } = await call.authenticate();
      const wanted = parseAttachmentId(call.parameters['id'] ?? '', toServerId(session));
      const attachment = await services.readAttachment(session, wanted);
      return {
        headers: downloadHeaders(toDownloadType(attachment.contentType), attachment.filename),
        body: toStreamedBody(attachment),
      };
    },
  });

  app.add({
    method: 'GET',
    path: '/api/files/email/:id',
    async serve(call) {
      const { session } = await call.authenticate();
      const id = parseMessageId(call.parameters['id'] ?? '', toServerId(session));
      const raw = await services.readRawMail(session, id);
      return { headers: downloadHeaders('message/rfc822', `message-${id}.eml`), body: toStreamedBody(raw) };
    },
  });
}
