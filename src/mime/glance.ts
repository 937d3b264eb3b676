// The first look at a message, for lists, streams and webhooks: preview, attachments, code.
// Called in a worker when a message is first listed, with its first bytes only; the result is kept.
// It must stay cheap: little of everything is read (glanceBudget), and nothing after the first 64 KB.
import type { MessageGlance } from '../domain/message.ts';
import { attachmentParts, isPicture } from './attachments.ts';
import { readBodyText } from './body-text.ts';
import { cutText } from './clean-text.ts';
import { findCodes } from './extract/find-codes.ts';
import { glanceBudget } from './parse-budget.ts';
import { readPartTree } from './part-tree.ts';
import { readSummary } from './summary.ts';

const maxHeadBytes = 65_536;
const maxPreviewChars = 120;
/** Below this a list shows no code: a wrong one is worse than none. */
const codeConfidence = 0.8;
/** Text that is looked at for the preview. */
const maxReadChars = 4_096;
/** Where so much of the beginning fills the preview, what follows it cannot change that. */
const beginningChars = 512;
/** Characters that take no room: senders fill preheaders with them. */
const invisible =
  /[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Joiners mean something within words and emoji, and nothing beside white space. */
const idleJoiners = /(?<=\s)[\u200c\u200d]|[\u200c\u200d](?=[\s\u200c\u200d]|$)/g;

/** Reads the first bytes of a message. Never throws. */
export function glanceAt(head: Uint8Array): MessageGlance {
  const raw = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, maxHeadBytes));
  const { root } = readPartTree(raw, glanceBudget);
  const { text, plain, html } = readBodyText(raw, root, glanceBudget.maxTextChars);
  const codes = findCodes({ ...readSummary(raw), text: plain, html });
  return {
    preview: toPreview(text),
    hasAttachments: attachmentParts(root).some((part) => !isPicture(part)),
    code: codes.find(({ confidence }) => confidence >= codeConfidence)?.value ?? null,
  };
}

function toPreview(text: string): string {
  const beginning = toWords(text.slice(0, beginningChars));
  const words = beginning.length > 2 * maxPreviewChars ? beginning : toWords(text.slice(0, maxReadChars));
  return cutText(words, maxPreviewChars).trimEnd();
}

function toWords(text: string): string {
  return text.replace(invisible, '').replace(idleJoiners, '').replace(/\s+/g, ' ').trim();
}
