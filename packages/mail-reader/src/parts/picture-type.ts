// Tells pictures that browsers show, and nothing else, by their first bytes. Declared types are ignored: senders write
// image/jpg, image/*, application/octet-stream, and attackers whatever helps them.

export type PictureType = 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp';

/** The bytes that decide. */
const pictureHeadBytes = 12;

/** Returns the type; null for anything else. SVG is a document and not among them. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  const head = bytes.toString('latin1', 0, pictureHeadBytes);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : null;
}
