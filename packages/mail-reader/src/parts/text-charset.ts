// Finds the charset of a message's text, in which many senders also write raw 8-bit headers and file names without
// declaring it there.
import { isUtf8 } from 'node:buffer';
import { leavesOf, type Part } from './part.ts';

/** Raw bytes that are not UTF-8 are in none of these. */
const unhelpful = /^(?:utf-?8|(?:us-)?ascii|.*8bit|x?-?unknown)/i;

/** Returns the first charset that the message, or else a text in it, declares and that says something of 8-bit bytes. */
export function findTextCharset(root: Part): string | null {
  if (isHelpful(root.charset)) return root.charset;
  for (const leaf of leavesOf(root)) {
    if (leaf.contentType.startsWith('text/') && isHelpful(leaf.charset)) return leaf.charset;
  }
  return null;
}

/** Reports whether a byte string, one char per byte, needs a declared charset. */
export function needsCharset(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return !isUtf8(Buffer.from(text, 'latin1'));
  }
  return false;
}

function isHelpful(charset: string | null): charset is string {
  return charset !== null && !unhelpful.test(charset);
}
