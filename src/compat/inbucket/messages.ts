// Routes for one message of a mailbox.

import { createHash } from 'node:crypto';
import { toStreamedBody } from '#http-parts/answer';
import { downloadHeaders, toDownloadType } from '#http-parts/download-headers';
import { writeJson } from '#http-parts/slices';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ParsedMail } from '../../service/mail/read-mail.ts';
import { SearchEffort } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import { requireModestJson } from '#http-parts/body-limits';
import { originOf } from '../origin.ts';
import { readTrace } from '../read-trace.ts';
import { sessionRoute } from '../dialect.ts';
import { toFullView } from './inbucket-views.ts';
import { openMessage } from './mailbox-messages.ts';
import { ok } from './mailboxes.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

const path = '/api/v1/mailbox/:name/:id';

export const messageRoutes = [
  sessionRoute(
    `GET ${path}`,
    'one message, not marked seen; `latest` is the newest',
    async ({ services }, call) => {
      const { session, mailbox, id, head } = await openMessage(services, call);
      const mail = await services.loadParsedMail(session, id);
      const md5 = await digestAttachments(services, session, mail);
      const trace = await readTrace(services, session, id);
      const { parsed } = mail;
      const view = toFullView({ parsed, head, mailbox: mailbox.name, trace, md5, origin: originOf(call) });
      return { body: await writeJson(view) };
    },
  ),
  sessionRoute(
    `PATCH ${path}`,
    'marks it seen by `{"seen":true}`; so does an empty body, which the Go client sends',
    async ({ services }, call) => {
      const { session, id } = await openMessage(services, call);
      if (parseSeen(call.body)) await services.markMail(session, { which: { ids: [id] }, isRead: true });
      return ok;
    },
  ),
  sessionRoute(`DELETE ${path}`, 'deletes it', async ({ services }, call) => {
    const { session, id } = await openMessage(services, call);
    await services.deleteMail(session, id);
    return ok;
  }),
  sessionRoute(`GET ${path}/source`, 'the message as received', async ({ services }, call) => {
    const { session, id } = await openMessage(services, call);
    const raw = await services.readRawMail(session, id);
    return { headers: { 'content-type': 'text/plain' }, body: toStreamedBody(raw) };
  }),
  // The name after the number only names the saved file.
  sessionRoute(
    'GET /serve/mailbox/:name/:id/attach/:number/:file',
    'an attachment, the target of `download-link` and `view-link`; always a download',
    async ({ services }, call) => {
      const { session, id } = await openMessage(services, call);
      const { parsed } = await services.loadParsedMail(session, id);
      const { number = '' } = call.parameters;
      const wanted = /^\d{1,6}$/.test(number) ? parsed.attachments[Number(number)] : undefined;
      if (!wanted) {
        throw new MayflyError('attachment_not_found', 'The message has no attachment with this number.');
      }
      const attachment = await services.readAttachment(session, { id, part: wanted.id });
      return {
        headers: downloadHeaders(toDownloadType(attachment.contentType), attachment.filename),
        body: toStreamedBody(attachment),
      };
    },
  ),
];

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

async function digestAttachments(
  services: Pick<Services, 'readAttachment'>,
  session: OpenSession,
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
