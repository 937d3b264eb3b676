// Estimates the memory that a parsed message occupies, without falling far short, for the bounded cache of parsed
// messages. Called by read-mail.
import type { ParsedMessage } from '@mayfly/mail-reader';

const bytesPerMessage = 2048;
/** The size of an object with a few members in an array, without its texts. */
const bytesPerEntry = 128;

/** In bytes, at two per character. */
export function weighParsed(parsed: ParsedMessage): number {
  const { text, html, headers, attachments, links, codes, to, cc, replyTo } = parsed;
  const entries: readonly object[] = [
    ...headers,
    ...attachments,
    ...links,
    ...codes,
    ...to,
    ...cc,
    ...replyTo,
  ];
  let bytes = bytesPerMessage + 2 * (text.length + (html?.length ?? 0)) + bytesPerEntry * entries.length;
  for (const entry of entries) {
    for (const value of Object.values(entry)) if (typeof value === 'string') bytes += 2 * value.length;
  }
  return bytes;
}
