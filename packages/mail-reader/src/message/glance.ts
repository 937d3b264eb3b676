// Reads preview, attachments and code from the first bytes of a message, for lists, streams and webhooks. Called in a
// worker when a message is first listed; the result is stored. It must stay cheap: it reads little of everything
// (glanceBudget), and nothing beyond the bytes it is given.
import { attachmentParts, isPicture } from '../parts/attachments.ts';
import { type BodyText, isBodyPart, readBodyText } from '../parts/body-text.ts';
import { cutToCodePoints } from '../text/clean-text.ts';
import { findCodes, findListedCode, type FoundCode } from '../extract/find-codes.ts';
import { glanceBudget } from '../parts/parse-budget.ts';
import { leavesOf, type Part } from '../parts/part.ts';
import { readPartTree } from '../parts/part-tree.ts';
import { readSummary } from '../header/summary.ts';

/** The part of a message shown by lists, streams and webhooks. */
export interface MessageGlance {
  /** First 120 characters of readable text. */
  readonly preview: string;
  /** The code to type, if found with confidence: of kind `otp`, `pin` or `pickup`. */
  readonly code: string | null;
  readonly hasAttachments: boolean;
  /**
   * Whether bytes after those given may hold what was not found in them; the caller knows whether there are any. Never
   * set for fewer than 64 KiB, which are a whole message.
   */
  readonly isCut?: true;
}

/** Bytes of a message that a glance reads, and that the first glance is given. */
const glanceBytes = 256 * 1024;
const headBytes = 64 * 1024;
const previewMaxChars = 120;
/** Characters read for the preview. */
const readMaxChars = 4_096;
/** If this much of the text fills the preview, the rest cannot change it. */
const beginningChars = 512;
/** With this much text the preview is complete. */
const enoughTextChars = readMaxChars;
/** Invisible characters, with which senders pad preheaders. */
const invisible =
  /[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Joiners carry meaning within words and emoji, but none beside white space. */
const idleJoiners = /(?<=\s)[\u200c\u200d]|[\u200c\u200d](?=[\s\u200c\u200d]|$)/g;

/** Reads the start of a message. Never throws. */
export function glanceAt(head: Uint8Array): MessageGlance {
  const raw = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, glanceBytes));
  const { root } = readPartTree(raw, glanceBudget);
  const body = readBodyText(raw, root, glanceBudget);
  const codes = findCodes({ ...readSummary(raw), text: body.plain, html: body.html });
  const glance = toGlance(raw, root, { ...body, codes });
  const last = [...leavesOf(root)].at(-1);
  // The end of the bytes may cut a code short.
  const endsInText = last !== undefined && isBodyPart(last) && last.bodyEnd === raw.length;
  const hasAll = glance.code !== null && glance.hasAttachments && body.text.length >= enoughTextChars;
  const isComplete = hasAll && !endsInText;
  return raw.length < headBytes || isComplete ? glance : { ...glance, isCut: true };
}

/** Returns what lists show of a message that was read, wholly or in part. */
export function toGlance(
  raw: Buffer,
  root: Part,
  { text, codes }: Pick<BodyText, 'text'> & { readonly codes: readonly FoundCode[] },
): MessageGlance {
  return {
    preview: toPreview(text),
    hasAttachments: attachmentParts(root).some((part) => !isPicture(raw, part)),
    code: findListedCode(codes)?.value ?? null,
  };
}

function toPreview(text: string): string {
  const beginning = toWords(text.slice(0, beginningChars));
  const words = beginning.length > 2 * previewMaxChars ? beginning : toWords(text.slice(0, readMaxChars));
  return cutToCodePoints(words, previewMaxChars).trimEnd();
}

function toWords(text: string): string {
  return text.replace(invisible, '').replace(idleJoiners, '').replace(/\s+/g, ' ').trim();
}
