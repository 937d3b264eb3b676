// A message's link as it is shown: the host exactly as the browser will request it, and any reason for suspicion.
// Pure. Only http and https links are accepted.

export interface LinkDisplay {
  /** For `href`: as the browser will parse it. */
  readonly href: string;
  /** ASCII: look-alike letters show as `xn--`. Includes the port, if any. */
  readonly host: string;
  readonly isInsecure: boolean;
}

const longest = 4096;

/** Returns null for anything but an http or https address of sensible length. */
export function toLinkDisplay(url: string): LinkDisplay | null {
  if (url.length > longest || !URL.canParse(url)) return null;
  const { protocol, host, href } = new URL(url);
  if ((protocol !== 'http:' && protocol !== 'https:') || host === '') return null;
  return { href, host, isInsecure: protocol === 'http:' };
}

export interface TextPiece {
  readonly text: string;
  /** The link's target; null for plain text. */
  readonly link: LinkDisplay | null;
}

const address = /https?:\/\/[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]{1,2000}/gi;
const trailing = new Set('.,;:!?)]}*_~、。，；：！？）】');

/** Splits plain text into words and links in linear time; joined, the pieces are the text. */
export function toTextPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    const found = trimAddress(match[0]);
    const link = toLinkDisplay(found);
    if (!link) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), link: null });
    pieces.push({ text: found, link });
    at = match.index + found.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), link: null });
  return pieces;
}

/** Trailing punctuation belongs to the sentence, and so does a bracket unless it opens within the address. */
function trimAddress(found: string): string {
  let end = found.length;
  const opened = found.split('(').length;
  let closed = found.split(')').length;
  while (end > 0) {
    const last = found[end - 1] ?? '';
    if (!trailing.has(last) || (last === ')' && closed <= opened)) break;
    if (last === ')') closed -= 1;
    end -= 1;
  }
  return found.slice(0, end);
}
