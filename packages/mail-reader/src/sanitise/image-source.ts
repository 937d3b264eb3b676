// What an image of a sender's HTML is to be loaded from. Called by the sanitiser's hook for `src`; decides nothing else.

export type ImageSource =
  /** An inline part of the message itself (RFC 2392). */
  | { readonly kind: 'part'; readonly contentId: string }
  /** http or https, normalised as a browser would. */
  | { readonly kind: 'remote'; readonly url: string }
  /** A small picture written out in the address. */
  | { readonly kind: 'data'; readonly url: string }
  | { readonly kind: 'none' };

const maxUrlChars = 8_192;
const maxDataChars = 512 * 1024;
/** No SVG: it is a document, not a picture. */
const dataPicture = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]*$/i;

/** `src` as written, untrusted. */
export function readImageSource(src: string): ImageSource {
  const text = src.replace(/[\t\n\r]/g, '').trim();
  if (/^cid:/i.test(text)) return { kind: 'part', contentId: decodeContentId(text.slice(4)) };
  if (/^data:/i.test(text)) {
    return text.length <= maxDataChars && dataPicture.test(text)
      ? { kind: 'data', url: text }
      : { kind: 'none' };
  }
  // Without a base address, `//host/x` is all that a relative reference can mean.
  const absolute = /^[\\/]{2}/.test(text) ? `https:${text}` : text;
  if (absolute.length > maxUrlChars || !/^https?:/i.test(absolute) || !URL.canParse(absolute)) {
    return { kind: 'none' };
  }
  const url = new URL(absolute);
  url.username = '';
  url.password = '';
  return { kind: 'remote', url: url.href };
}

function decodeContentId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not everybody encodes it, and a lone percent sign is then part of the id.
    return text;
  }
}
