// Lists the attachments of a message: every part that is not shown as the message itself. Used by the parser, the
// glance and the download. Sizes are counted; contents are never decoded or opened, neither images, archives, TNEF nor
// enclosed messages (decompression and nesting bombs).
import { toFilename } from './filename.ts';
import { isBodyPart } from './body-text.ts';
import { isMultipart, leavesOf } from './part.ts';
import type { Part } from './part.ts';
import { type PictureType, pictureTypeOf } from './picture-type.ts';
import { decodeTransfer, measureTransfer } from './transfer-decoding.ts';

export interface Attachment {
  /** Path of the part, such as `2.1`; stable for the message. */
  readonly id: string;
  /** Safe to show; chosen by the sender, or made from the id. */
  readonly filename: string;
  /** Lower case. As claimed by the sender, hence untrusted. */
  readonly contentType: string;
  /** Decoded bytes. */
  readonly size: number;
  readonly disposition: 'attachment' | 'inline';
  /** Without angle brackets; null for none. */
  readonly contentId: string | null;
  /** A URL, relative or not; untrusted, and only to be compared. Null for none. */
  readonly contentLocation: string | null;
  /** The type of a picture by its first bytes, regardless of `contentType`; null for any other content. */
  readonly pictureType: PictureType | null;
  /** Position of the encoded bytes in the raw message (`end` exclusive) and their encoding, for a download. */
  readonly body: { readonly start: number; readonly end: number; readonly encoding: string };
}

/** Alternatives that no reader shows and no sender means as files. */
const silentAlternatives: ReadonlySet<string> = new Set(['text/x-amp-html', 'text/watch-html']);

/** Enough encoded bytes for those that show what a picture is, with blank lines before them. */
const headBytes = 256;

/** Reports whether a part is a picture the HTML may show, rather than an attachment. */
export function isPicture(raw: Buffer, part: Part): boolean {
  if (part.contentId === null || part.disposition === 'attachment') return false;
  return part.contentType.startsWith('image/') || readPictureType(raw, part) !== null;
}

function readPictureType(raw: Buffer, part: Part): PictureType | null {
  const head = raw.subarray(part.bodyStart, Math.min(part.bodyEnd, part.bodyStart + headBytes));
  return pictureTypeOf(decodeTransfer(head, part.transferEncoding).bytes);
}

/**
 * Returns the pictures that HTML may show, by what it may call them: their Content-ID, Content-Location or file name,
 * in this order of precedence.
 */
export function findPictures(attachments: readonly Attachment[]): Map<string, Attachment> {
  const pictures = attachments.filter(({ pictureType }) => pictureType !== null);
  const found = new Map<string, Attachment>();
  for (const nameOf of [
    ({ contentId }: Attachment) => contentId,
    ({ contentLocation }: Attachment) => contentLocation,
    ({ filename }: Attachment) => filename,
  ]) {
    for (const one of pictures) {
      const name = nameOf(one);
      if (name !== null && !found.has(name)) found.set(name, one);
    }
  }
  return found;
}

/** Returns the leaves that are attachments, in order. */
export function attachmentParts(root: Part): Part[] {
  return [...leavesOf(root)].flatMap((part) => {
    if (isBodyPart(part)) return part.textFiles;
    const isNone =
      silentAlternatives.has(part.contentType) || (isMultipart(part) && part.bodyEnd === part.bodyStart);
    return isNone ? [] : [part];
  });
}

export function listAttachments(raw: Buffer, root: Part): Attachment[] {
  return attachmentParts(root).map((part) => toAttachment(raw, part));
}

function toAttachment(raw: Buffer, part: Part): Attachment {
  const pictureType = readPictureType(raw, part);
  const contentType = pictureType ?? part.contentType;
  return {
    id: part.path,
    filename: toFilename(part.filename ?? part.label, { path: part.path, contentType }),
    contentType: part.contentType,
    size: measureTransfer(raw.subarray(part.bodyStart, part.bodyEnd), part.transferEncoding),
    disposition: part.disposition ?? (isPicture(raw, part) ? 'inline' : 'attachment'),
    contentId: part.contentId,
    contentLocation: part.contentLocation,
    pictureType,
    body: { start: part.bodyStart, end: part.bodyEnd, encoding: part.transferEncoding },
  };
}
