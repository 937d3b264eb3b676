// Classifies the address of a picture in a sender's HTML or CSS, for the sanitiser's hooks.

export type ImageSource =
  /** An inline part of the message itself (RFC 2392). */
  | { readonly kind: 'part'; readonly contentId: string }
  /** http or https, normalised as a browser would. */
  | { readonly kind: 'remote'; readonly url: string }
  /** A small picture contained in the URL itself. */
  | { readonly kind: 'data'; readonly url: string }
  | { readonly kind: 'none' };

/** Returns the address to show for the address of a picture as written; undefined for none. */
export type ChoosePicture = (url: string) => string | undefined;

const urlMaxChars = 8_192;
const dataMaxChars = 512 * 1024;
/** Not SVG, which is a document rather than a picture. */
const dataPicture = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]*$/i;

/** `src` as written, untrusted. */
export function readImageSource(src: string): ImageSource {
  const text = src.replace(/[\t\n\r]/g, '').trim();
  if (/^cid:/i.test(text)) {
    return { kind: 'part', contentId: decodeContentId(text.slice(4)).replace(/^<|>$/g, '') };
  }
  if (/^data:/i.test(text)) {
    const url = text.replace(/\s/g, '');
    return url.length <= dataMaxChars && dataPicture.test(url) ? { kind: 'data', url } : { kind: 'none' };
  }
  // Without a base URL, `//host/x` is the only relative reference with a meaning.
  const absolute = /^[\\/]{2}/.test(text) ? `https:${text}` : text;
  if (absolute.length > urlMaxChars || !/^https?:/i.test(absolute) || !URL.canParse(absolute)) {
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
    // Not every sender encodes it; a lone percent sign is then part of the id.
    return text;
  }
}
