// Header fields for content chosen by a sender, which browsers save and never show.

import { attachmentDisposition } from './content-disposition.ts';

/** Types that no viewer executes. */
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
