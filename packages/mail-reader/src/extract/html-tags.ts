// Reads one HTML tag and what it means for reading: breaks, hiding, prominence. Used only by read-html.ts. The
// document need not be well formed.
import { decodeEntities } from './html-entities.ts';

export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  /** Raw text between the name and `>`. */
  readonly attributes: string;
  /** Offset just after `>`. */
  readonly end: number;
}

export const voidTags: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
export const unreadTags: ReadonlySet<string> = new Set(
  'style script title textarea select svg math object template'.split(' '),
);
export const blockTags: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br button center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr html li main nav ol p pre section table tbody tfoot thead tr ul'
  ).split(' '),
);
export const cellTags: ReadonlySet<string> = new Set(['td', 'th']);

const strongTags: ReadonlySet<string> = new Set('b strong h3 code pre kbd samp tt mark big'.split(' '));
const titleTags: ReadonlySet<string> = new Set(['h1', 'h2']);
const titlePx: Readonly<Record<string, number>> = { h1: 32, h2: 24 };
const largePx = 18;

/**
 * Returns the tag that opens at `at` (a `<`), or undefined if none does. `end` is the document's end for an unclosed
 * tag.
 */
export function readTag(html: string, at: number): Tag | undefined {
  const closing = html.charCodeAt(at + 1) === 47;
  const nameStart = at + (closing ? 2 : 1);
  if (!isLetter(html.charCodeAt(nameStart))) return undefined;
  let i = nameStart;
  while (i < html.length && i - nameStart < 32 && isNameUnit(html.charCodeAt(i))) i++;
  const name = html.slice(nameStart, i).toLowerCase();
  const close = findTagEnd(html, i);
  return { name, closing, attributes: html.slice(i, close), end: Math.min(close + 1, html.length) };
}

function isLetter(unit: number): boolean {
  return (unit | 32) >= 97 && (unit | 32) <= 122;
}

function isNameUnit(unit: number): boolean {
  return isLetter(unit) || (unit >= 48 && unit <= 57) || unit === 58 || unit === 45;
}

function findTagEnd(html: string, from: number): number {
  let quote = 0;
  let previous = 0;
  for (let i = from; i < html.length; i++) {
    const unit = html.charCodeAt(i);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if ((unit === 34 || unit === 39) && previous === 61) quote = unit;
    else if (unit === 62) return i;
    if (unit !== 32 && unit !== 10) previous = unit;
  }
  return html.length;
}

/** Returns the value of an attribute with entities decoded; undefined if absent. */
export function readAttribute(attributes: string, name: string): string | undefined {
  // Most tags lack most attributes: searching for the name costs a tenth of parsing them all.
  if (!attributes.toLowerCase().includes(name)) return undefined;
  const pattern = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  const bounded = attributes.length > 8192 ? attributes.slice(0, 8192) : attributes;
  for (const match of bounded.matchAll(pattern)) {
    if (match[1]?.toLowerCase() === name) return decodeEntities(match[2] ?? match[3] ?? match[4] ?? '');
  }
  return undefined;
}

/** The effects of an element's tag and inline style on its text. */
export interface Look {
  readonly hidden: boolean;
  /** Whether it sets a font size, and if so to zero. */
  readonly size: 'zero' | 'set' | undefined;
  /** From 0 (plain) to 3. */
  readonly prominence: number;
  /** Font size in pixels, estimated without the surrounding sizes; 0 if none is set. */
  readonly px: number;
  /** Text that is not the mail's own, or no longer holds. */
  readonly apart: Apart | undefined;
}

/** `block`: a blockquote, which may only be a box. */
export type Apart = 'quoted' | 'block' | 'struck';

/** Classes and ids of the elements in which mail programs quote. */
const quoting =
  /gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix|protonmail_quote|divrplyfwdmsg|zmail_extra|tutanota_quote|quote-?wrapper|(?<![a-z])(?:cite|quoted)(?![a-z])/;
const struckTags: ReadonlySet<string> = new Set(['s', 'del', 'strike']);

/** The most looks remembered, and the longest tag to remember one for. */
const rememberedMax = 500;
const rememberedLength = 1000;

/** Returns a `readLook` for one document, which remembers what it read: a newsletter styles hundreds of cells alike. */
export function createLookReader(): (tag: Tag) => Look {
  const known = new Map<string, Look>();
  return (tag) => {
    const key = `${tag.name} ${tag.attributes}`;
    const remembered = known.get(key);
    if (remembered) return remembered;
    const look = readLook(tag);
    if (known.size < rememberedMax && key.length <= rememberedLength) known.set(key, look);
    return look;
  };
}

function readLook(tag: Tag): Look {
  let prominence = titleTags.has(tag.name) ? 2 : strongTags.has(tag.name) ? 1 : 0;
  const tagPx = titlePx[tag.name] ?? 0;
  const { name } = tag;
  if (tag.attributes === '') {
    const apart = name === 'blockquote' ? 'block' : struckTags.has(name) ? 'struck' : undefined;
    return { hidden: false, size: undefined, prominence, px: tagPx, apart };
  }
  const style = (readAttribute(tag.attributes, 'style') ?? '').toLowerCase().replaceAll(' ', '');
  const named =
    `${readAttribute(tag.attributes, 'class') ?? ''} ${readAttribute(tag.attributes, 'id') ?? ''}`.toLowerCase();
  if (/font-weight:(bold|[6-9]00)/.test(style)) prominence += 1;
  const px = readPx(style) || tagPx;
  if (px >= largePx || /letter-spacing:(?!normal|0|-)/.test(style)) prominence += 1;
  if (/monospace|courier/.test(style)) prominence += 1;
  if (/otp|code|pin|token|passcode/.test(named)) prominence += 1;
  if (tag.name === 'font' && Number(readAttribute(tag.attributes, 'size') ?? '0') >= 5) prominence += 1;
  return {
    hidden: isHidden(style, tag.attributes),
    size: readSize(style),
    prominence: Math.min(prominence, 3),
    px,
    apart: readApart(tag, style, named),
  };
}

function readApart({ name, attributes }: Tag, style: string, named: string): Apart | undefined {
  if (struckTags.has(name) || style.includes('line-through')) return 'struck';
  if (quoting.test(named)) return 'quoted';
  if (name !== 'blockquote') return undefined;
  return readAttribute(attributes, 'type') === 'cite' || readAttribute(attributes, 'cite') !== undefined
    ? 'quoted'
    : 'block';
}

function readPx(style: string): number {
  if (!style.includes('font')) return 0;
  const size = /(?:font-size:|font:[^;]{0,40}?)(\d{1,3}(?:\.\d{1,2})?)(px|pt|em|rem)/.exec(style);
  if (!size) return 0;
  const factor = size[2] === 'px' ? 1 : size[2] === 'pt' ? 1.33 : 16;
  return Number(size[1]) * factor;
}

function isHidden(style: string, attributes: string): boolean {
  if (/(^|;)(display:none|visibility:hidden|max-height:0|opacity:0(;|!|$))/.test(style)) return true;
  return readAttribute(attributes, 'hidden') !== undefined;
}

// Mail builders set a wrapper's font size to zero and restore it in the blocks within: only text left at zero is
// hidden.
function readSize(style: string): Look['size'] {
  const size = /(?:^|;)font-size:([\d.]{1,6})/.exec(style)?.[1];
  if (size === undefined) return undefined;
  return Number(size) === 0 ? 'zero' : 'set';
}
