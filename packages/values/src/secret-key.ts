// Parses the operator's secret key, which seals the credentials of accounts: 32 bytes in hex or base64. Used for
// settings, key files and `mayfly secret rotate`.

export const secretKeyForm = '64 hex digits or base64 of 32 bytes';

/** Returns undefined for any other form. Ignores surrounding white space. */
export function parseSecretKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // Only the first four bits of the 43rd character count.
  const isBase64 = /^(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9_-]{43})=?$/.test(trimmed);
  return isBase64 ? Buffer.from(trimmed, 'base64') : undefined;
}
