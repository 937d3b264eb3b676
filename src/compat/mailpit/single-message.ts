// One message, by its id or `latest`, in each of Mailpit's formats.

import type { Attachment, ParsedMessage } from '@mayfly/mail-reader';
import { quietMarkup } from '@mayfly/mail-reader/html';
import { type Answer, stringifyWellFormed, toStreamedBody } from '#http-parts/answer';
import { attachmentDisposition } from '#http-parts/content-disposition';
import { downloadHeaders } from '#http-parts/download-headers';
import { inSlices, writeJson } from '#http-parts/slices';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type CompatCall, type CompatContext, type SessionRoute, sessionRoute } from '../dialect.ts';
import { jsonHeaders, notHere, refused, textHeaders } from './answers.ts';
import { findChecksums } from './checksums.ts';
import { findMatches } from './find-matches.ts';
import { MailpitIds } from './ids.ts';
import { toCrLf, toHeadersView, toMessageView } from './mailpit-views.ts';
import { parseSearch } from './parse-search.ts';
import { readTrace } from '../read-trace.ts';
import { originOf } from '../origin.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

/** Types that a browser would execute or show as a page are sent as bytes. */
const safeType =
  /^(?!text\/(?:html|xml|xsl|javascript|ecmascript)$)(?!application\/(?:.*\+)?(?:xml|javascript|ecmascript)$)(?!image\/svg)[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/;

interface Asked {
  readonly services: CompatContext['services'];
  readonly session: OpenSession;
  readonly id: number;
  readonly call: CompatCall;
}

export const messageRoutes = [
  messageRoute('', 'also `latest`, with `query` the newest match; marks as read', showMessage),
  messageRoute('/headers', 'its header', showHeaders),
  messageRoute('/raw', 'begins with the service’s Return-Path and Received', showRaw),
  messageRoute('/part/:part', 'an attachment', showPart),
  messageRoute('/part/:part/thumb', '400: thumbnails are not made', () =>
    refused('Thumbnails are not made here.'),
  ),
  messageRoute(
    '/link-check',
    'the links; none is fetched, so `StatusCode` is 0, and only addresses that lead nowhere are errors',
    (asked) => showCheck(asked, 'links'),
  ),
  messageRoute('/html-check', 'support by mail programs; linked style sheets are not fetched', (asked) =>
    showCheck(asked, 'html'),
  ),
  messageRoute('/sa-check', '404: SpamAssassin is not part of the service', () =>
    notHere('SpamAssassin is not part of this service.'),
  ),
  sessionRoute(
    'GET /view/:id',
    '`ID.html` is the sender’s own markup without redirects, frames and hints to connect, under a policy that lets ' +
      'nothing run, and only its own parts load. ' +
      '`ID.txt` is the text',
    forMessage(showView),
  ),
];

type Show = (asked: Asked) => Promise<Answer> | Answer;

function messageRoute(below: string, summary: string, show: Show): SessionRoute {
  return sessionRoute(`GET /api/v1/message/:id${below}`, summary, forMessage(show));
}

function forMessage(show: Show): SessionRoute['run'] {
  return async ({ services }, call) => {
    const { session } = call.live;
    const id = await findId({ services, session }, call);
    return id === undefined ? notHere('message not found') : show({ services, session, id, call });
  };
}

/** @throws MayflyError message_not_found for an invalid number too */
async function findId({ services, session }: Pick<Asked, 'services' | 'session'>, call: CompatCall) {
  const text = (call.parameters['id'] ?? '').replace(/\.(?:html|txt)$/, '');
  if (text !== 'latest') {
    const id = new MailpitIds(session).toNumber(text);
    if (id === undefined) throw new MayflyError('message_not_found', 'There is no message with this id.');
    return id;
  }
  const query = call.query.get('query')?.trim() ?? '';
  if (query === '') return (await services.checkMail(session, { limit: 1 }))[0]?.id;
  const terms = parseSearch(query, call.query.get('tz') ?? '');
  return (await findMatches(services, session, terms))[0]?.listed.id;
}

async function showMessage({ services, session, id, call }: Asked): Promise<Answer> {
  const { stored, parsed, meta } = await services.loadParsedMail(session, id);
  requireParsed(parsed);
  const head = await getHead(services, session, id);
  const checksums = await findChecksums(services, session, { id, parsed });
  // The id is a secret; `latest` is not.
  const mayMark = call.marksRead || (!call.isHead && call.parameters['id'] !== 'latest');
  if (mayMark && !stored.isRead) {
    await services.markMail(session, { which: { ids: [id] }, isRead: true });
  }
  const isTextWritten = await isWritten({ services, session, id }, parsed);
  const view = toMessageView({ id, parsed, meta, head, checksums, isTextWritten }, session);
  return { headers: jsonHeaders, body: await writeJson(view) };
}

/** @throws MayflyError message_not_found */
async function getHead(services: Asked['services'], session: OpenSession, id: number): Promise<MessageHead> {
  const heads = await services.listHeads(session, { after: id - 1, limit: 1 });
  const head = heads.find(({ listed }) => listed.id === id);
  if (!head) throw new MayflyError('message_not_found', 'There is no message with this id.');
  return head;
}

async function showHeaders({ services, session, id }: Asked): Promise<Answer> {
  const head = await getHead(services, session, id);
  const trace = await readTrace(services, session, id);
  const shown = toHeadersView(head, trace, new MailpitIds(session).toId(id));
  return { headers: jsonHeaders, body: Buffer.from(stringifyWellFormed(shown)) };
}

async function showRaw({ services, session, id, call }: Asked): Promise<Answer> {
  const raw = await services.readRawMail(session, id);
  const asFile = call.query.get('dl') === '1';
  return {
    headers: {
      ...textHeaders,
      ...(asFile ? { 'content-disposition': attachmentDisposition(`${id}.eml`) } : {}),
    },
    body: toStreamedBody(raw),
  };
}

async function showPart({ services, session, id, call }: Asked): Promise<Answer> {
  const part = call.parameters['part'] ?? '';
  const attachment = await services.readAttachment(session, { id, part });
  const { contentType, filename } = attachment;
  return {
    headers: downloadHeaders(safeType.test(contentType) ? contentType : 'application/octet-stream', filename),
    body: toStreamedBody(attachment),
  };
}

/**
 * `/view/ID.html` is the sender's own markup, under a policy by which nothing runs, shares this origin or loads but the
 * message's own parts; `/view/ID.txt` the text.
 */
async function showView({ services, session, id, call }: Asked): Promise<Answer> {
  const wanted = /\.(html|txt)$/.exec(call.parameters['id'] ?? '')?.[1];
  if (wanted === undefined) throw new MayflyError('not_found', 'There is nothing at this path.');
  const { parsed } = await services.loadParsedMail(session, id);
  requireParsed(parsed);
  if (wanted === 'txt') {
    const isTextWritten = await isWritten({ services, session, id }, parsed);
    const toText = (slice: string): string => (isTextWritten ? toCrLf(slice) : slice);
    return { headers: textHeaders, body: await wellFormed(parsed.text, toText) };
  }
  if (parsed.html === null) return notHere('This message does not contain a HTML part');
  const parts = `/api/v1/message/${new MailpitIds(session).toId(id)}/part/`;
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': rawMarkupPolicy(originOf(call) + parts),
      // Browsers look up the hosts of links otherwise.
      'x-dns-prefetch-control': 'off',
    },
    body: await wellFormed(quietMarkup(linkInlineParts(parsed.html, parsed.attachments, parts))),
  };
}

const plainPart = /^content-type:\s*text\/plain/im;
/** Beyond it, a part is hardly the text. */
const structureMaxBytes = 256 * 1024;

/** Reports whether the sender wrote the text, rather than HTML from which it was made. */
async function isWritten(
  { services, session, id }: Omit<Asked, 'call'>,
  { text, html }: ParsedMessage,
): Promise<boolean> {
  if (html === null || text === '') return true;
  return services.useWholeMail(session, {
    id,
    use: ({ raw }) => Promise.resolve(plainPart.test(raw.toString('latin1', 0, structureMaxBytes))),
  });
}

async function showCheck({ services, session, id }: Asked, check: 'html' | 'links'): Promise<Answer> {
  const { hasHtml, json } = await services.checkForMailpit(session, { id, check });
  if (check === 'html' && !hasHtml) return refused('message does not contain HTML');
  return json === undefined
    ? refused('The message is too large, or takes too long, to be checked.')
    : { headers: jsonHeaders, body: json };
}

/** Fails, since an empty message would be wrong. @throws MayflyError unavailable */
function requireParsed({ parse }: ParsedMessage): void {
  if (parse.status !== 'failed') return;
  throw new MayflyError(
    'unavailable',
    `The message cannot be read (${parse.reason ?? ''}); its raw form can.`,
  );
}

async function wellFormed(text: string, toText = (slice: string): string => slice): Promise<Buffer> {
  return Buffer.concat(await inSlices(text, (slice) => toText(slice.replace(/\p{Surrogate}/gu, '\ufffd'))));
}

const link = /(=["']?)cid:([^"'\s/>;|\\]{1,998})(?=["'\s/>;|\\])/gi;

/** Leads `cid:` in attributes to the message's parts, as Mailpit does; `parts` is the path of all of them. */
export function linkInlineParts(html: string, files: readonly Attachment[], parts: string): string {
  const byContentId = new Map<string, string>();
  for (const { contentId, id } of files) {
    const key = contentId?.toLowerCase();
    if (key && !byContentId.has(key)) byContentId.set(key, id);
  }
  if (byContentId.size === 0) return html;
  return html.replace(link, (whole, before: string, contentId: string) => {
    const part = byContentId.get(contentId.toLowerCase());
    return part === undefined ? whole : before + parts + part;
  });
}

/**
 * Nothing runs, shares this origin, or loads but what lies below `parts`. Not the whole origin: a picture's address
 * could be any route of this listener.
 */
export function rawMarkupPolicy(parts: string): string {
  const own = /^https?:\/\/[\w.:[\]-]+\/[\w/-]+$/.test(parts) ? ` ${parts}` : '';
  return `sandbox; default-src 'none'; img-src data:${own}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}
