// Header fields of bytes of a sender's choosing: a browser saves them and never shows them.

import { attachmentDisposition } from './content-disposition.ts';

/** Of all types a sender may claim, those that no viewer takes for a program. */
const harmlessTypes: ReadonlySet<string> = new Set([
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);

export function downloadHeaders(contentType: string, filename: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': attachmentDisposition(filename),
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

export function toDownloadType(contentType: string): string {
  return harmlessTypes.has(contentType) ? contentType : 'application/octet-stream';
}
