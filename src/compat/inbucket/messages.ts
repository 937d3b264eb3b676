// Routes for one message of a mailbox.

import { createHash } from 'node:crypto';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import { toStreamedBody } from '../../http/answers/answer.ts';
import { downloadHeaders, toDownloadType } from '../../http/answers/download-headers.ts';
import { writeJson } from '../../http/answers/slices.ts';
import type { ParsedMail } from '../../service/mail/read-mail.ts';
import { SearchEffort } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import { requireModestJson } from '../../http/parameters/body-limits.ts';
import { originOf } from '../origin.ts';
import type { CompatApp, CompatCall } from '../dialect.ts';
import { toFullView } from './inbucket-views.ts';
import { getHead, openMailbox } from './mailbox-messages.ts';
import { ok } from './mailboxes.ts';

type MessageServices = Pick<
  Services,
  'listHeads' | 'loadParsedMail' | 'readAttachment' | 'readRawMail' | 'deleteMail' | 'markMail'
>;

const path = '/api/v1/mailbox/:name/:id';

export function addMessageRoutes(app: CompatApp, services: MessageServices): void {
  app.add({
    method: 'GET',
    path,
    async serve(call) {
      const opened = await openMailbox(services, call);
      const { id, recipients } = getHead(opened, call);
      const { session, mailbox } = opened;
      const mail = await services.loadParsedMail(session, id);
      const md5 = await digestAttachments(services, session, mail);
      const view = toFullView({ mail, mailbox: mailbox.name, recipients, md5, origin: originOf(call) });
      return { body: await writeJson(view) };
    },
  });

  app.add({
    method: 'PATCH',
    path,
    async serve(call) {
      const opened = await openMailbox(services, call);
      const { id } = getHead(opened, call);
      if (parseSeen(call.body)) {
        await services.markMail(opened.session, { which: { ids: [id] }, isRead: true });
      }
      return ok;
    },
  });

  app.add({
    method: 'DELETE',
    path,
    async serve(call) {
      const opened = await openMailbox(services, call);
      await services.deleteMail(opened.session, getHead(opened, call).id);
      return ok;
    },
  });

  app.add({
    method: 'GET',
    path: `${path}/source`,
    async serve(call) {
      const opened = await openMailbox(services, call);
      const raw = await services.readRawMail(opened.session, getHead(opened, call).id);
      return { headers: { 'content-type': 'text/plain' }, body: toStreamedBody(raw) };
    },
  });

  // The name after the number only names the saved file.
  app.add({
    method: 'GET',
    path: '/serve/mailbox/:name/:id/attach/:number/:file',
    serve: (call) => serveAttachment(services, call),
  });
}

/** The Go client marks without a body. */
function parseSeen(body: Buffer): boolean {
  if (body.length === 0) return true;
  requireModestJson(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new MayflyError('malformed_body', 'The body must be JSON, such as {"seen":true}.');
  }
  const seen = typeof value === 'object' && value !== null && 'seen' in value ? value.seen : undefined;
  if (seen === undefined || typeof seen === 'boolean') return seen === true;
  throw new MayflyError('invalid_parameter', '`seen` must be true or false.', { parameter: 'seen' });
}

async function serveAttachment(services: MessageServices, call: CompatCall) {
  const opened = await openMailbox(services, call);
  const { id } = getHead(opened, call);
  const { parsed } = await services.loadParsedMail(opened.session, id);
  const { number = '' } = call.parameters;
  const wanted = /^\d{1,6}$/.test(number) ? parsed.attachments[Number(number)] : undefined;
  if (!wanted) {
    throw new MayflyError('attachment_not_found', 'The message has no attachment with this number.');
  }
  const attachment = await services.readAttachment(opened.session, { id, part: wanted.id });
  return {
    headers: downloadHeaders(toDownloadType(attachment.contentType), attachment.filename),
    body: toStreamedBody(attachment),
  };
}

async function digestAttachments(
  services: MessageServices,
  session: Session,
  { stored, parsed }: ParsedMail,
): Promise<string[]> {
  const digests: string[] = [];
  const effort = new SearchEffort(session);
  for (const { id: part } of parsed.attachments) {
    await effort.spend();
    const { pieces } = await services.readAttachment(session, { id: stored.id, part });
    const hash = createHash('md5');
    for await (const piece of pieces) hash.update(piece);
    digests.push(hash.digest('hex'));
  }
  return digests;
}
