// Lists the links and codes of each body of a message, in order and with repetitions, for tests that assert on what a
// sender wrote. find-links and find-codes return what matters of a whole message instead, once, best first. A pure
// function over decoded, untrusted parts, linear in their size; run it in a separate thread.
import { cleanText } from './fold-text.ts';
import { findCodes } from './find-codes.ts';
import { trimUrl } from './text-addresses.ts';
import { decodeEntities } from './html-entities.ts';
import { readAttribute, readTag, type Tag, unreadTags } from './html-tags.ts';
import { readHtml } from './read-html.ts';

export interface BodyLink {
  /** As the sender wrote it, with any scheme. */
  readonly href: string;
  /** The link's text; null if it has none. */
  readonly text: string | null;
}

export interface BodyImage {
  readonly src: string;
  readonly alt: string | null;
}

export interface BodyContents {
  readonly html: {
    readonly links: readonly BodyLink[];
    readonly images: readonly BodyImage[];
    /** Values, best first. */
    readonly codes: readonly string[];
  };
  readonly text: { readonly links: readonly BodyLink[]; readonly codes: readonly string[] };
}

interface Bodies {
  readonly text: string;
  /** Raw HTML, untrusted. */
  readonly html: string | null;
}

const htmlMaxChars = 1024 * 1024;
const textMaxChars = 256 * 1024;
const foundMax = 1000;
const codesMax = 50;
const urlMaxChars = 8192;
const wordsMaxChars = 300;
const altMaxChars = 1000;

export function readBodyContents({ text, html }: Bodies): BodyContents {
  return {
    html: { ...walkMarkup(html?.slice(0, htmlMaxChars) ?? ''), codes: codesOf({ text: '', html }) },
    text: { links: linksOfText(text.slice(0, textMaxChars)), codes: codesOf({ text, html: null }) },
  };
}

function codesOf(bodies: Bodies): string[] {
  const found = findCodes({ ...bodies, subject: '', senderName: '', senderEmail: '' });
  const shown = bodies.html === null ? bodies.text.slice(0, textMaxChars) : readHtml(bodies.html).text;
  return [...new Set([...found.map(({ value }) => value), ...announcedIn(shown)])].slice(0, codesMax);
}

/** Numbers that find-codes does not consider codes, such as an order number: a test knows which one it wants. */
function announcedIn(text: string): string[] {
  const found = text.matchAll(
    /\b(?:code|id|pin|otp|passcode|password|token)\b(?:\s{1,4}is)?\s{0,4}:?\s{1,4}(?=[a-z]{0,9}\d)([a-z\d]{4,10})(?![\w-])/gi,
  );
  return [...found].flatMap(([, value]) => (value === undefined ? [] : [value]));
}

interface Walk {
  readonly links: BodyLink[];
  readonly images: BodyImage[];
  /** The open link and the pieces of its text. */
  link: { readonly href: string; readonly words: string[]; chars: number } | undefined;
}

function walkMarkup(html: string): Pick<Walk, 'links' | 'images'> {
  const walk: Walk = { links: [], images: [], link: undefined };
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const textEnd = next < 0 ? html.length : next;
    if (walk.link) addWords(walk.link, html.slice(at, textEnd));
    if (next < 0) break;
    at = passMarkup(walk, { html, lower }, next);
  }
  endLink(walk);
  return { links: walk.links, images: walk.images };
}

/** Returns where the markup that begins at `at` ends. Unclosed markup takes the rest, so that no search is repeated. */
function passMarkup(walk: Walk, { html, lower }: { html: string; lower: string }, at: number): number {
  const endOf = (mark: string, from: number): number => {
    const found = lower.indexOf(mark, from);
    return found < 0 ? html.length : found + mark.length;
  };
  if (html.startsWith('<!--', at)) return endOf('-->', at + 4);
  if (html.startsWith('<!', at) || html.startsWith('<?', at)) return endOf('>', at);
  const tag = readTag(html, at);
  if (!tag) {
    if (walk.link) addWords(walk.link, '<');
    return at + 1;
  }
  if (unreadTags.has(tag.name) && !tag.closing && !tag.attributes.endsWith('/')) {
    return endOf(`</${tag.name}`, tag.end);
  }
  takeTag(walk, tag);
  return tag.end;
}

function takeTag(walk: Walk, { name, closing, attributes }: Tag): void {
  if (name === 'a') {
    endLink(walk);
    const href = closing ? undefined : readAttribute(attributes, 'href')?.trim();
    if (href) walk.link = { href: href.slice(0, urlMaxChars), words: [], chars: 0 };
  } else if (name === 'img' && !closing) {
    const src = readAttribute(attributes, 'src')?.trim();
    if (!src || walk.images.length >= foundMax) return;
    walk.images.push({ src, alt: readAttribute(attributes, 'alt')?.slice(0, altMaxChars) ?? null });
  } else if (walk.link) addWords(walk.link, ' ');
}

function addWords(link: NonNullable<Walk['link']>, words: string): void {
  // More than is kept, because white space and references shrink.
  if (link.chars > 4 * wordsMaxChars) return;
  const piece = words.slice(0, 4 * wordsMaxChars);
  link.words.push(piece);
  link.chars += piece.length;
}

function endLink(walk: Walk): void {
  const { link } = walk;
  walk.link = undefined;
  if (!link || walk.links.length >= foundMax) return;
  const words = cleanText(decodeEntities(link.words.join('')))
    .replace(/\s+/g, ' ')
    .trim();
  walk.links.push({ href: link.href, text: words === '' ? null : words.slice(0, wordsMaxChars) });
}

function linksOfText(text: string): BodyLink[] {
  const links: BodyLink[] = [];
  for (const [found] of text.matchAll(/https?:\/\/[^\s<>"'`\u00a0\u3000-\u3002\uff08-\uff0c]{1,4096}/gi)) {
    const href = trimUrl(found);
    links.push({ href, text: href });
    if (links.length >= foundMax) break;
  }
  return links;
}
