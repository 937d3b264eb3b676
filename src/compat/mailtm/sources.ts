// The raw bytes of messages: GET /sources/{id} and /messages/{id}/source as JSON, /messages/{id}/download unchanged,
// /messages/{id}/attachment/{attachmentId}.

import type { Session } from '../../domain/session.ts';
import { type Answer, type StreamedBody, toStreamedBody } from '../../http/answers/answer.ts';
import { downloadHeaders, toDownloadType } from '../../http/answers/download-headers.ts';
import type { CompatApp, CompatCall, CompatContext } from '../dialect.ts';
import { toMessageId } from './ids.ts';
import { findAsked } from './messages.ts';
import { jsonLdType, jsonType, toLinkedData, wantsPlainJson } from './represent.ts';

type SourceContext = Pick<CompatContext, 'services'>;

export function addSourceRoutes(app: CompatApp, { services }: SourceContext): void {
  for (const path of ['/sources/:id', '/messages/:id/source']) {
    app.add({ method: 'GET', path, serve: (call) => answerSource(services, call) });
  }
  app.add({
    method: 'GET',
    path: '/messages/:id/download',
    async serve(call) {
      const { session, id } = await findAsked(call);
      const raw = await services.readRawMail(session, id);
      return { headers: downloadHeaders('message/rfc822', `message-${id}.eml`), body: toStreamedBody(raw) };
    },
  });
  app.add({
    method: 'GET',
    path: '/messages/:id/attachment/:part',
    async serve(call) {
      const { session, id } = await findAsked(call);
      const part = call.parameters['part'] ?? '';
      const attachment = await services.readAttachment(session, { id, part });
      const { contentType, filename } = attachment;
      const headers = downloadHeaders(toDownloadType(contentType), filename);
      return { headers, body: toStreamedBody(attachment) };
    },
  });
}

async function answerSource(services: SourceContext['services'], call: CompatCall): Promise<Answer> {
  const { session, id } = await findAsked(call);
  const isPlain = wantsPlainJson(call);
  return {
    headers: { 'content-type': isPlain ? jsonType : jsonLdType },
    body: await toSource(services, { session, id, isPlain }),
  };
}

interface AskedSource {
  readonly session: Session;
  readonly id: number;
  readonly isPlain: boolean;
}

/** Reads the message once for its length, then again while writing: only a piece is in memory. */
async function toSource(
  services: Pick<SourceContext['services'], 'readRawMail'>,
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
