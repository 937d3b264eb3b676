// Makes names of attachments safe to show and to offer for download. The result never names anything on our disks:
// stored files are not named after anything a sender wrote.
import { cutText, toWellFormed } from '../text/clean-text.ts';

const filenameMaxChars = 255;
const extensionMaxChars = 16;
/** Applied first, so that a name of megabytes costs nothing. */
const inputMaxChars = 4_096;

/** Line ends and tabs stand between words. */
const breaks = /[\t-\r\x85\u2028\u2029]+/g;
/** C0, DEL, C1, and bidirectional marks (`exe.txt` shown for `txt.exe`). */
const unsafe = /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/**
 * Joiners (ZWNJ, ZWJ) that join nothing. Between characters beyond ASCII they are spelling: Persian and Indic words
 * and emoji sequences change without them.
 */
const idleJoiners = /(?<=^|[\x00-\x7f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?=$|[\x00-\x7f])/g;
/** The folders of a path on the sender's machine: up to the last separator if there is a drive or a backslash. */
const folders = /^(?=[a-z]:[/\\]|[^\\]*\\).*[/\\](?=[^/\\])/is;
/** Path steps: `../../etc/passwd` becomes `etc_passwd`. */
const steps = /(?:^|(?<=[/\\]))\.{1,2}[/\\]/g;
const separators = /[/\\:*?"<>|]/g;
/** Device names on Windows, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const extensions: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'text/csv': 'csv',
  'text/xml': 'xml',
  'text/rtf': 'rtf',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/pjpeg': 'jpg',
  'image/png': 'png',
  'image/x-png': 'png',
  'image/bmp': 'bmp',
  'image/tiff': 'tif',
  'image/svg+xml': 'svg',
  'image/heic': 'heic',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'application/json': 'json',
  'application/xml': 'xml',
  'application/rtf': 'rtf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/pgp-signature': 'asc',
  'application/pkcs7-signature': 'p7s',
  'application/ms-tnef': 'dat',
};

/** Returns a name of 1 to 255 characters. `name` is the decoded one, null for none; then `fallback` gives the stem. */
export function toFilename(name: string | null, fallback: { path: string; contentType: string }): string {
  const safe = name === null ? '' : toSafeName(name);
  if (safe !== '') return safe;
  return `part-${fallback.path || '0'}.${extensions[fallback.contentType] ?? 'bin'}`;
}

function toSafeName(name: string): string {
  const text = name.slice(0, inputMaxChars).replace(breaks, ' ').replace(unsafe, '').replace(idleJoiners, '');
  const clean = toWellFormed(text)
    .replace(folders, '')
    .replace(steps, '')
    .replace(separators, '_')
    .replace(/^[. ]+/, '');
  const trimmed = trimDotsAndSpaces(clean);
  const named = deviceName.test(trimmed) ? `_${trimmed}` : trimmed;
  if (named.length <= filenameMaxChars) return named;
  const dot = named.lastIndexOf('.');
  const extension = named.length - dot <= extensionMaxChars ? named.slice(dot) : '';
  return cutText(named, filenameMaxChars - extension.length) + extension;
}

/** Windows drops these silently, which would make two names equal. Not a regex: `/[. ]+$/` is quadratic. */
function trimDotsAndSpaces(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--;
  return name.slice(0, end);
}
