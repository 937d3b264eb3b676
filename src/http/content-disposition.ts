// The Content-Disposition of downloads (RFC 6266): always `attachment`, so that a browser saves and never shows.

/** In UTF-16 units; percent-encoded at most nine times as long. */
const nameMaxLength = 200;

/** `filename` is the sender's choice. */
export function attachmentDisposition(filename: string): string {
  const wellFormed = filename.replace(/\p{Surrogate}/gu, '\ufffd').slice(0, nameMaxLength);
  // The cut may have left half a character.
  const name = wellFormed.replace(/\p{Surrogate}/gu, '') || 'attachment';
  // For clients that know no filename*: nothing that ends the quoted string or is decoded by some (a percent sign).
  const ascii = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  return `attachment; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`}`;
}

/** ext-value of RFC 8187 §3.2.1: everything but attr-char is percent-encoded. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
