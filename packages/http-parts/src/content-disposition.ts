// The Content-Disposition of downloads (RFC 6266): `attachment`, so that browsers save instead of showing; `inline`
// only for content known to be harmless when shown.

/** In UTF-16 units; percent-encoding makes it at most nine times as long. */
const nameMaxLength = 200;

/** `filename` is chosen by the sender. */
export function attachmentDisposition(filename: string): string {
  return disposition('attachment', filename);
}

export function inlineDisposition(filename: string): string {
  return disposition('inline', filename);
}

function disposition(kind: 'attachment' | 'inline', filename: string): string {
  const wellFormed = filename.replace(/\p{Surrogate}/gu, '\ufffd').slice(0, nameMaxLength);
  // The cut may have left half a surrogate pair.
  const name = wellFormed.replace(/\p{Surrogate}/gu, '') || 'attachment';
  // For clients without filename*: no character that ends the quoted string, and no percent sign, which some decode.
  const ascii = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`}`;
}

/** ext-value of RFC 8187 §3.2.1: percent-encodes everything but attr-char. */
export function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
