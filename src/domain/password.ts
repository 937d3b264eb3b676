// Passwords that holders of sessions choose. Compared as RFC 8265 §4.2 has opaque strings, as far as that matters here: in
// Unicode's form NFC, with letter case and every space kept.

import { MayflyError } from './mayfly-error.ts';

/** In UTF-8, after normalisation: what is longer says nothing more, and has to be hashed. */
export const passwordMaxBytes = 256;

/** And halves of a character, which have no bytes of their own in UTF-8. */
const unusable = /[\p{Cc}\p{Cs}]/u;

/** @throws MayflyError missing_parameter, invalid_parameter */
export function parsePassword(text: string): string {
  if (text === '') {
    throw new MayflyError('missing_parameter', '`password` is required.', { parameter: 'password' });
  }
  // Normalising makes no text shorter than a third of it, so this bounds the work.
  const password = text.length <= 3 * passwordMaxBytes ? text.normalize('NFC') : undefined;
  const isValid =
    password !== undefined && !unusable.test(password) && Buffer.byteLength(password) <= passwordMaxBytes;
  if (isValid) return password;
  const message = `\`password\` must be 1 to ${passwordMaxBytes} bytes of UTF-8 without control characters.`;
  throw new MayflyError('invalid_parameter', message, { parameter: 'password' });
}
