// The raw bytes of messages: GET /sources/{id} and /messages/{id}/source as JSON, /messages/{id}/download unchanged,
// /messages/{id}/attachment/{attachmentId}.

import { type Answer, type StreamedBody, toStreamedBody } from '#http-parts/answer';
import { downloadHeaders, toDownloadType } from '#http-parts/download-headers';
import type { Services } from '../../service/services.ts';
import { type CompatContext, type SessionCall, sessionRoute } from '../dialect.ts';
import { toMessageId } from './ids.ts';
import { readId } from './messages.ts';
import { jsonLdType, jsonType, toLinkedData, wantsPlainJson } from './represent.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

const source = 'the message as received, as text in JSON';

export const sourceRoutes = [
  sessionRoute('GET /sources/:id', source, answerSource),
  sessionRoute('GET /messages/:id/source', source, answerSource),
  sessionRoute('GET /messages/:id/download', 'its bytes', async ({ services }, call) => {
    const id = readId(call);
    const raw = await services.readRawMail(call.live.session, id);
    return { headers: downloadHeaders('message/rfc822', `message-${id}.eml`), body: toStreamedBody(raw) };
  }),
  sessionRoute('GET /messages/:id/attachment/:part', 'an attachment’s bytes', async ({ services }, call) => {
    const part = call.parameters['part'] ?? '';
    const attachment = await services.readAttachment(call.live.session, { id: readId(call), part });
    const { contentType, filename } = attachment;
    const headers = downloadHeaders(toDownloadType(contentType), filename);
    return { headers, body: toStreamedBody(attachment) };
  }),
];

async function answerSource({ services }: CompatContext, call: SessionCall): Promise<Answer> {
  const isPlain = wantsPlainJson(call);
  return {
    headers: { 'content-type': isPlain ? jsonType : jsonLdType },
    body: await toSource(services, { session: call.live.session, id: readId(call), isPlain }),
  };
}

interface AskedSource {
  readonly session: OpenSession;
  readonly id: number;
  readonly isPlain: boolean;
}

/** Reads the message once for its length, then again while writing: only a piece is in memory. */
async function toSource(
  services: Pick<Services, 'readRawMail'>,
  { session, id, isPlain }: AskedSource,
): Promise<StreamedBody> {
  const text = toMessageId(session, id);
  const fields = { id: text, downloadUrl: `/messages/${text}/download`, data: '' };
  const empty = JSON.stringify(
    isPlain ? fields : toLinkedData({ type: 'Source', path: `/sources/${text}`, fields }),
  );
  const open = async (): Promise<AsyncIterable<Buffer>> =>
    inJson(empty.slice(0, -'"}'.length), (await services.readRawMail(session, id)).pieces);
  let sizeBytes = 0;
  for await (const piece of await open()) sizeBytes += piece.length;
  return toStreamedBody({ sizeBytes, pieces: await open() });
}

/** Yields an object's JSON up to its last member's text, the bytes as that text in UTF-8, and the object's end. */
async function* inJson(head: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  yield Buffer.from(head);
  for await (const piece of pieces) yield toJsonText(decoder.decode(piece, { stream: true }));
  yield toJsonText(decoder.decode());
  yield Buffer.from('"}');
}

function toJsonText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1));
}
