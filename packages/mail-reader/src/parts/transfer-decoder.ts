// Decodes an attachment piece by piece as it is downloaded, so that it is never whole in memory. The output equals
// that of decodeTransfer, wherever the pieces are cut. Runs in the main thread: a piece is at most a stored chunk,
// which takes a millisecond.

import { type Base64Rest, decodeBase64, decodeTransfer } from './transfer-decoding.ts';
import { UuDecoder } from './uudecode.ts';

const lf = 10;
const cr = 13;
const tab = 9;
const space = 32;
const equals = 0x3d;

/** `encoding` as in `Attachment.body`. */
export async function* decodePieces(
  pieces: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<Buffer, void> {
  const decode = createTransferDecoder(encoding);
  for await (const piece of pieces) {
    const bytes = decode(piece, false);
    if (bytes.length > 0) yield bytes;
  }
  const rest = decode(Buffer.alloc(0), true);
  if (rest.length > 0) yield rest;
}

export type TransferDecoder = (piece: Buffer, isLast: boolean) => Buffer;

export function createTransferDecoder(encoding: string): TransferDecoder {
  switch (encoding) {
    case 'base64': {
      const rest: Base64Rest = { bits: 0, count: 0 };
      return (piece, isLast) => decodeBase64(piece, rest, isLast).bytes;
    }
    case 'quoted-printable':
      return createQuotedPrintableDecoder();
    case 'x-uuencode': {
      const decoder = new UuDecoder();
      return (piece, isLast) => decoder.decode(piece, isLast);
    }
    default:
      return (piece) => decodeTransfer(piece, encoding).bytes;
  }
}

/**
 * Holds back bytes whose meaning depends on the next piece: a cut escape, or white space that a line end would remove.
 * That is a few bytes in ordinary mail, and never more than the body.
 */
function createQuotedPrintableDecoder(): TransferDecoder {
  let held: Buffer[] = [];
  let lastByte = lf;
  return (piece, isLast) => {
    const cut = isLast ? piece.length : findSafeCut(piece, lastByte);
    lastByte = piece.at(-1) ?? lastByte;
    if (cut === 0 && !isLast) {
      held.push(piece);
      return Buffer.alloc(0);
    }
    const ready = Buffer.concat([...held, piece.subarray(0, cut)]);
    held = cut === piece.length ? [] : [piece.subarray(cut)];
    return decodeTransfer(ready, 'quoted-printable').bytes;
  };
}

/** Returns the length whose meaning no later piece can change; 0 when unknown. `before` is the preceding byte. */
function findSafeCut(piece: Buffer, before: number): number {
  for (let at = piece.length - 1; at >= 0; at--) {
    const byte = piece[at];
    if (byte === lf) return at + 1;
    if (byte === space || byte === tab || byte === cr || byte === equals) continue;
    // The first character of an escape waits for the second.
    if ((at === 0 ? before : piece[at - 1]) !== equals) return at + 1;
  }
  return 0;
}
