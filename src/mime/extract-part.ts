// One attachment's bytes, for a download. Runs in a worker, as all parsing of whole messages does.
// It gives only what the parsed message lists, and never looks into what it gives.
import { attachmentParts } from './attachments.ts';
import { toFilename } from './filename.ts';
import { readingBudget } from './parse-budget.ts';
import { readPartTree } from './part-tree.ts';
import { decodeTransfer } from './transfer-decoding.ts';

export interface ExtractedPart {
  /** Safe to show and to offer as a name; never a path. */
  filename: string;
  /** What the sender claims; untrusted. */
  contentType: string;
  bytes: Uint8Array;
}

/** The attachment with this id (`attachments[].id` of the parsed message), or undefined. Never throws. */
export function extractPart(raw: Uint8Array, id: string): ExtractedPart | undefined {
  const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { root } = readPartTree(buffer, readingBudget);
  const part = attachmentParts(root).find(({ path }) => path === id);
  if (part === undefined) return undefined;
  const body = buffer.subarray(part.bodyStart, part.bodyEnd);
  const { bytes } = decodeTransfer(body, part.transferEncoding);
  return { filename: toFilename(part.filename, part), contentType: part.contentType, bytes };
}
