// Routes for one message: in full, raw, a raw part, and its deletion. Called by mailhog.ts.

import { decodePieces } from '@mayfly/mail-reader';

import { type Answer, toStreamedBody } from '#http-parts/answer';
import { downloadHeaders } from '#http-parts/download-headers';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type CompatContext, type SessionCall, sessionRoute } from '../dialect.ts';
import { type Content, readContent } from './content.ts';
import { toJsonBody } from './json-pieces.ts';
import { writeMessage } from './message-json.ts';

const path = '/api/v1/messages/:id';

export const messageRoutes = [
  sessionRoute(`GET ${path}`, 'one full message', async ({ services }, call) => {
    const { session } = call.live;
    const id = readId(call);
    const listed = await services.findListedMessage(session, id);
    const recipients = listed?.recipients ?? [];
    const pieces = await services.useWholeMail(session, {
      id,
      use: (mail) => writeMessage(mail, recipients),
    });
    return { body: toJsonBody(pieces) };
  }),
  sessionRoute(`DELETE ${path}`, 'deletes it; the response is empty', async ({ services }, call) => {
    await services.deleteMail(call.live.session, readId(call));
    return { body: '' };
  }),
  sessionRoute(`GET ${path}/download`, 'its bytes', async ({ services }, call) => {
    const id = readId(call);
    const raw = await services.readRawMail(call.live.session, id);
    return { headers: downloadHeaders('message/rfc822', `${id}.eml`), body: toStreamedBody(raw) };
  }),
  sessionRoute(
    `GET ${path}/mime/part/:part/download`,
    'a decoded part of `MIME.Parts`, counted from 0',
    downloadPart,
  ),
  sessionRoute(`POST ${path}/release`, '400: mail is never relayed', (_context, call) => {
    readId(call);
    throw new MayflyError('invalid_parameter', 'Mail is never sent on from here.');
  }),
];

/** @throws MayflyError message_not_found */
function readId({ parameters }: SessionCall): number {
  const text = parameters['id'] ?? '';
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new MayflyError('message_not_found', 'The session has no message with this id.', { parameter: 'id' });
}

/** Decoded; numbered as in `MIME.Parts`, from 0. */
async function downloadPart({ services }: CompatContext, call: SessionCall): Promise<Answer> {
  const id = readId(call);
  const number = call.parameters['part'] ?? '';
  const { open, encoding, sizeBytes } = await services.useWholeMail(call.live.session, {
    id,
    use: async ({ raw, openRange }) => {
      const part = /^\d{1,4}$/.test(number) ? readContent(raw).parts?.[Number(number)] : undefined;
      if (!part) {
        throw new MayflyError('attachment_not_found', 'The message has no part of this number.', {
          parameter: 'part',
        });
      }
      const own = { open: openRange.bind(undefined, part.body), encoding: encodingOf(part) };
      let decoded = 0;
      for await (const piece of decodePieces(
        inPieces(raw.subarray(part.body.start, part.body.end)),
        own.encoding,
      )) {
        decoded += piece.length;
      }
      return { ...own, sizeBytes: decoded };
    },
  });
  const pieces = decodePieces(open(), encoding);
  // No header field comes from the sender, or browsers might show the part as a page of ours.
  return {
    headers: downloadHeaders('application/octet-stream', `${id}-part-${number}`),
    body: toStreamedBody({ sizeBytes, pieces }),
  };
}

function encodingOf({ headers }: Content): string {
  const name = [...headers.keys()].find((one) => one.toLowerCase() === 'content-transfer-encoding') ?? '';
  const encoding = headers.get(name)?.[0]?.trim().toLowerCase() ?? '';
  return encoding === 'base64' || encoding === 'quoted-printable' ? encoding : '7bit';
}

const pieceBytes = 64 * 1024;

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
  }
}
