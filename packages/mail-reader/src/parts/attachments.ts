// Lists the attachments of a message: every part that is not shown as the message itself. Used by the parser, the
// glance and the download. Sizes are counted; contents are never decoded or opened, neither images, archives, TNEF nor
// enclosed messages (decompression and nesting bombs).
import { toFilename } from './filename.ts';
import { isBodyPart } from './body-text.ts';
import { isMultipart, leavesOf } from './part.ts';
import type { Part } from './part.ts';
import { measureTransfer } from './transfer-decoding.ts';

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
  /** Position of the encoded bytes in the raw message (`end` exclusive) and their encoding, for a download. */
  readonly body: { readonly start: number; readonly end: number; readonly encoding: string };
}

/** Alternatives that no reader shows and no sender means as files. */
const silentAlternatives: ReadonlySet<string> = new Set(['text/x-amp-html', 'text/watch-html']);

/** Reports whether a part is a picture the HTML may show, rather than an attachment. */
export function isPicture(part: Part): boolean {
  return (
    part.contentType.startsWith('image/') && part.contentId !== null && part.disposition !== 'attachment'
  );
}

/** Returns the leaves that are attachments, in order. */
export function attachmentParts(root: Part): Part[] {
  return [...leavesOf(root)].filter(
    (part) =>
      !isBodyPart(part) &&
      !silentAlternatives.has(part.contentType) &&
      !(isMultipart(part) && part.bodyEnd === part.bodyStart),
  );
}

export function listAttachments(raw: Buffer, root: Part): Attachment[] {
  return attachmentParts(root).map((part) => ({
    id: part.path,
    filename: toFilename(part.filename, part),
    contentType: part.contentType,
    size: measureTransfer(raw.subarray(part.bodyStart, part.bodyEnd), part.transferEncoding),
    disposition: part.disposition ?? (isPicture(part) ? 'inline' : 'attachment'),
    contentId: part.contentId,
    body: { start: part.bodyStart, end: part.bodyEnd, encoding: part.transferEncoding },
  }));
}
