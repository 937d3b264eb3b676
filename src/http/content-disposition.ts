// The Content-Disposition of downloads (RFC 6266): always `attachment`, so that a browser saves and never shows.

/** `filename` is the sender's choice. */
export function attachmentDisposition(filename: string): string {
  const name = filename
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .slice(0, 200)
    .replace(/\p{Surrogate}/gu, '');
  // For clients that know no filename*: nothing that ends the quoted string or is decoded by some (a percent sign).
  const ascii = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_').trim() || 'attachment';
  return `attachment; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`}`;
}

/** ext-value of RFC 8187 §3.2.1: everything but attr-char is percent-encoded. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
