// The form of the operator's secret key, under which credentials of accounts are sealed: 32 bytes, written in hex or
// base64. Used wherever the key comes in: settings, key files, `mayfly secret rotate`.

export const secretKeyForm = '64 hex digits or base64 of 32 bytes';

/** Undefined when it is not of this form. Blanks and line ends around it are cut. */
export function parseSecretKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // Of the 43rd character only the first four bits count.
  const isBase64 = /^(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9_-]{43})=?$/.test(trimmed);
  return isBase64 ? Buffer.from(trimmed, 'base64') : undefined;
}
