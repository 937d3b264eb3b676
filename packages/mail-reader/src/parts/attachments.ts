// What a message carries beside its text: every part that is not read as the message itself.
// Called by the parser, the glance and the download. Sizes are counted, contents are not decoded or looked into:
// no image, archive, TNEF or enclosed message is ever opened here (decompression and nesting bombs).
import { toFilename } from './filename.ts';
import { isBodyPart } from './body-text.ts';
import { isMultipart, leavesOf } from './part.ts';
import type { Part } from './part.ts';
import { measureTransfer } from './transfer-decoding.ts';

export interface Attachment {
  /** Path of the part, such as `2.1`: stable for the message. */
  readonly id: string;
  /** Safe to show; the sender chose it, or it is made from the id. */
  readonly filename: string;
  /** Lower case. What the sender claims, hence untrusted. */
  readonly contentType: string;
  /** Decoded bytes. */
  readonly size: number;
  readonly disposition: 'attachment' | 'inline';
  /** Without angle brackets, null for none. */
  readonly contentId: string | null;
  /** Where its encoded bytes stand in the raw message (`end` exclusive), and their encoding, for a download. */
  readonly body: { readonly start: number; readonly end: number; readonly encoding: string };
}

/** Alternatives that no reader shows and nobody sent as a file. */
const silentAlternatives: ReadonlySet<string> = new Set(['text/x-amp-html', 'text/watch-html']);

/** Whether a part is a picture that the HTML may show, rather than something that was sent along. */
export function isPicture(part: Part): boolean {
  return (
    part.contentType.startsWith('image/') && part.contentId !== null && part.disposition !== 'attachment'
  );
}

/** The leaves that are attachments, in order. */
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
