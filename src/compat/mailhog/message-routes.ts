// Routes for one message: in full, raw, a raw part, and its deletion. Called by mailhog.ts.

import { decodePieces } from '@mayfly/mail-reader';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { type Answer, toStreamedBody } from '../../http/answers/answer.ts';
import { downloadHeaders } from '../../http/answers/download-headers.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import type { CompatApp, CompatCall, CompatContext, CompatRoute } from '../dialect.ts';
import { type Content, readContent } from './content.ts';
import { toJsonBody } from './json-pieces.ts';
import { writeMessage } from './message-json.ts';

const path = '/api/v1/messages/:id';

interface Asked extends LiveSession {
  readonly id: number;
  readonly call: CompatCall;
}

export function addMessageRoutes(app: CompatApp, context: CompatContext): void {
  const add = (
    method: CompatRoute['method'],
    below: string,
    run: (context: CompatContext, asked: Asked) => Promise<Answer>,
  ): void => {
    app.add({
      ...{ method, path: `${path}${below}` },
      serve: async (call) => {
        const live = await call.authenticate();
        return run(context, { ...live, call, id: readId(call) });
      },
    });
  };
  add('GET', '', showMessage);
  add('DELETE', '', deleteMessage);
  add('GET', '/download', downloadMessage);
  add('GET', '/mime/part/:part/download', downloadPart);
  add('POST', '/release', refuseRelease);
}

/** @throws MayflyError message_not_found */
function readId({ parameters }: CompatCall): number {
  const text = parameters['id'] ?? '';
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new MayflyError('message_not_found', 'The session has no message with this id.', { parameter: 'id' });
}

async function showMessage({ services }: CompatContext, { session, id }: Asked): Promise<Answer> {
  const listed = await services.findListedMessage(session, id);
  const recipients = listed?.recipients ?? [];
  const pieces = await services.useWholeMail(session, { id, use: (mail) => writeMessage(mail, recipients) });
  return { body: toJsonBody(pieces) };
}

async function deleteMessage({ services }: CompatContext, { session, id }: Asked): Promise<Answer> {
  await services.deleteMail(session, id);
  return { body: '' };
}

async function downloadMessage({ services }: CompatContext, { session, id }: Asked): Promise<Answer> {
  const raw = await services.readRawMail(session, id);
  return { headers: downloadHeaders('message/rfc822', `${id}.eml`), body: toStreamedBody(raw) };
}

/** Decoded; numbered as in `MIME.Parts`, from 0. */
async function downloadPart({ services }: CompatContext, { session, id, call }: Asked): Promise<Answer> {
  const number = call.parameters['part'] ?? '';
  const { open, encoding, sizeBytes } = await services.useWholeMail(session, {
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

function refuseRelease(): Promise<Answer> {
  return Promise.reject(new MayflyError('invalid_parameter', 'Mail is never sent on from here.'));
}
