// JSON whose long texts are ranges of messages. They are measured first and read again from the store while the answer
// is sent, so that an answer of any length takes the memory of a few chunks.

import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { slicesOf, stringifyWellFormed, type StreamedBody } from '#http-parts/answer';
import type { OpenRange, WholeMail } from '../../service/mail/whole-mail.ts';
import type { Range } from './content.ts';

/** Literal JSON, or a range of a message that becomes a string in it. */
export type Piece = string | MailText;

export interface MailText {
  readonly range: Range;
  readonly openRange: OpenRange;
  /** The length of its JSON in bytes, including quotes. */
  readonly jsonBytes: number;
}

/** Longer texts are read again from the store. */
const inlineBytes = 16 * 1024;

/** Returns the text of a range whose bytes are in memory. */
export async function toTextPiece(
  { raw, openRange }: Pick<WholeMail, 'raw' | 'openRange'>,
  range: Range,
): Promise<Piece> {
  const bytes = raw.subarray(range.start, range.end);
  if (bytes.length <= inlineBytes) return stringifyWellFormed(bytes.toString());
  let jsonBytes = 0;
  for await (const text of toJsonText(slicesOf(bytes))) jsonBytes += Buffer.byteLength(text);
  return { range, openRange, jsonBytes };
}

/** Invalid UTF-8 becomes U+FFFD, wherever the pieces are cut. */
async function* toJsonText(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  yield '"';
  for await (const piece of pieces) {
    for (const slice of slicesOf(piece)) {
      yield JSON.stringify(decoder.decode(slice, { stream: true })).slice(1, -1);
      await nextTurn();
    }
  }
  yield `${JSON.stringify(decoder.decode()).slice(1, -1)}"`;
}

/** Joins the pieces. */
export function toJsonBody(pieces: readonly Piece[]): string | StreamedBody {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  const sizeBytes = pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.jsonBytes),
    0,
  );
  return { sizeBytes, open: () => Readable.from(writePieces(pieces)) };
}

async function* writePieces(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield* slicesOf(Buffer.from(piece));
    else for await (const text of toJsonText(piece.openRange(piece.range))) yield Buffer.from(text);
  }
}
