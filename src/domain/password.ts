// Passwords of sessions, compared like the opaque strings of RFC 8265 §4.2: in Unicode form NFC, with letter case and
// every space kept.

import { MayflyError } from './mayfly-error.ts';

/** In UTF-8, after normalisation. Bounds the work of hashing. */
export const passwordMaxBytes = 256;

/** Control characters, and lone surrogates, which UTF-8 cannot encode. */
const unusable = /[\p{Cc}\p{Cs}]/u;

/** @throws MayflyError missing_parameter, invalid_parameter */
export function parsePassword(text: string): string {
  if (text === '') {
    throw new MayflyError('missing_parameter', '`password` is required.', { parameter: 'password' });
  }
  // Normalisation never shortens a text to less than a third, so this bounds the work.
  const password = text.length <= 3 * passwordMaxBytes ? text.normalize('NFC') : undefined;
  const isValid =
    password !== undefined && !unusable.test(password) && Buffer.byteLength(password) <= passwordMaxBytes;
  if (isValid) return password;
  const message = `\`password\` must be 1 to ${passwordMaxBytes} bytes of UTF-8 without control characters.`;
  throw new MayflyError('invalid_parameter', message, { parameter: 'password' });
}
