// Reads untrusted HTML as a person sees it: text by block, what stands out, what is hidden, and the links. Called by
// find-codes.ts and find-links.ts. A single pass, bounded by htmlMax, without repairing or rendering anything.
import { cutBetweenWords } from '../text/clean-text.ts';
import { cleanText } from './fold-text.ts';
import { decodeEntities } from './html-entities.ts';
import {
  blockTags,
  cellTags,
  readAttribute,
  type Apart,
  createLookReader,
  type Look,
  readTag,
  unreadTags,
  voidTags,
  type Tag,
} from './html-tags.ts';

export interface Prominent {
  readonly start: number;
  readonly end: number;
  /** From 1 (bold) to 3 (large, bold, set apart). */
  readonly prominence: number;
  /** Font size in pixels from its own style or tag; 0 if none. */
  readonly px: number;
}

export interface HtmlLink {
  readonly href: string;
  readonly text: string;
  /** The link's position in the text. */
  readonly start: number;
  readonly end: number;
}

export interface ApartText {
  readonly start: number;
  readonly end: number;
  readonly as: Apart;
}

interface ReadableHtml {
  /** Blocks end in `\n`, table cells in `\t`. */
  readonly text: string;
  /** In order of their ends. */
  readonly prominent: Prominent[];
  /** Text that is quoted or struck through, innermost first. */
  readonly apart: ApartText[];
  /** Text with display:none, such as a preheader. */
  readonly hiddenText: string;
  readonly links: HtmlLink[];
  /** Addresses of image maps and forms, with what names them. */
  readonly offers: HtmlLink[];
}

const fieldTypes: ReadonlySet<string> = new Set(['text', 'tel', 'number', 'search']);
const htmlMax = 256 * 1024;
const depthMax = 512;
const closeSearch = 32;
const linksMax = 1000;
const prominentMax = 5000;
// Text that fills a paragraph does not stand out in it.
const prominentMaxLength = 100;
const altMax = 200;
/** The longest of what stands out: the value of a field. */
export const longestProminent = altMax;
const linkTextMax = 300;
const offering: ReadonlySet<string> = new Set(['area', 'button', 'form', 'input']);
const newline = 10;
const tab = 9;

interface Open {
  readonly name: string;
  readonly hidden: boolean;
  /** Whether its font size is zero. */
  readonly sizeless: boolean;
  readonly prominence: number;
  readonly px: number;
  readonly apart: Apart | undefined;
  readonly start: number;
}

interface Reader {
  readonly html: string;
  readonly readLook: (tag: Tag) => Look;
  /** Finds lower-case text in the document in any case; negative if absent. */
  readonly find: (needle: string, from: number) => number;
  /** Pieces instead of one string: reading the end of a growing string would copy it each time. */
  readonly pieces: string[];
  length: number;
  lastUnit: number;
  lastLength: number;
  readonly hidden: string[];
  readonly open: Open[];
  readonly prominent: Prominent[];
  readonly apart: ApartText[];
  readonly links: { readonly href: string; readonly start: number; readonly end: number }[];
  link: { readonly href: string; readonly start: number } | undefined;
  readonly offers: { readonly href: string; readonly start: number; readonly end: number; name: string }[];
  /** The index of the open form's offer. */
  form: number | undefined;
  /** Whether a tag is between the last text and the next. */
  afterTag: boolean;
}

export function readHtml(source: string): ReadableHtml {
  const html = cutBetweenWords(source, htmlMax);
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const reader: Reader = {
    html,
    readLook: createLookReader(),
    find: rememberMisses(lower),
    pieces: [],
    length: 0,
    lastUnit: 10,
    lastLength: 0,
    hidden: [],
    open: [],
    prominent: [],
    apart: [],
    links: [],
    link: undefined,
    offers: [],
    form: undefined,
    afterTag: false,
  };
  let at = skipHead(lower);
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const textEnd = next < 0 ? html.length : next;
    if (textEnd > at) addText(reader, html.slice(at, textEnd));
    if (next < 0) break;
    at = readMarkup(reader, next);
  }
  while (reader.open.length > 0) closeTop(reader);
  endLink(reader);
  const text = reader.pieces.join('');
  const links = reader.links.map(({ href, start, end }) => ({
    href,
    start,
    end,
    text: text.slice(start, Math.min(end, start + linkTextMax)).trim(),
  }));
  const offers = reader.offers.map(({ name, ...offer }) => ({ ...offer, text: name }));
  const { prominent, apart } = reader;
  return { text, prominent, apart, hiddenText: reader.hidden.join(''), links, offers };
}

// Does not repeat a search that failed: thousands of unclosed <style> would otherwise cost a pass each.
function rememberMisses(lower: string): (needle: string, from: number) => number {
  const missing = new Set<string>();
  return (needle, from) => {
    if (missing.has(needle)) return -1;
    const found = lower.indexOf(needle, from);
    if (found < 0) missing.add(needle);
    return found;
  };
}

function skipHead(lower: string): number {
  const head = lower.indexOf('<head');
  const body = lower.indexOf('<body');
  if (body >= 0) return body;
  if (head < 0) return 0;
  const end = lower.indexOf('</head', head);
  return end < 0 ? 0 : end;
}

function readMarkup(reader: Reader, at: number): number {
  const { html, find } = reader;
  if (html.startsWith('<!--', at)) {
    const end = find('-->', at + 4);
    return end < 0 ? html.length : end + 3;
  }
  if (html.charCodeAt(at + 1) === 33 || html.charCodeAt(at + 1) === 63) {
    const end = find('>', at);
    return end < 0 ? html.length : end + 1;
  }
  const tag = readTag(html, at);
  if (!tag) {
    addText(reader, '<');
    return at + 1;
  }
  if (unreadTags.has(tag.name) && !tag.closing && !tag.attributes.endsWith('/')) {
    const end = find(`</${tag.name}`, tag.end);
    return end < 0 ? tag.end : end;
  }
  if (tag.closing) closeTag(reader, tag);
  else openTag(reader, tag);
  reader.afterTag = true;
  return tag.end;
}

function openTag(reader: Reader, tag: Tag): void {
  breakFor(reader, tag.name);
  if (tag.name === 'a') startLink(reader, tag);
  if (offering.has(tag.name)) addOffer(reader, tag);
  if (tag.name === 'input') addField(reader, tag);
  if (tag.name === 'img') addText(reader, (readAttribute(tag.attributes, 'alt') ?? '').slice(0, altMax));
  if (voidTags.has(tag.name) || tag.attributes.endsWith('/')) return;
  // Paragraphs, cells and items need no end tag.
  const top = reader.open.at(-1);
  if (top?.name === tag.name && (tag.name === 'p' || tag.name === 'li' || cellTags.has(tag.name))) {
    closeTop(reader);
  }
  if (reader.open.length >= depthMax) return;
  const look = reader.readLook(tag);
  const parent = reader.open.at(-1);
  const hidden = look.hidden || (parent?.hidden ?? false);
  const sizeless = look.size === undefined ? (parent?.sizeless ?? false) : look.size === 'zero';
  reader.open.push({
    name: tag.name,
    hidden,
    sizeless,
    prominence: look.prominence,
    px: look.px,
    apart: look.apart,
    start: reader.length,
  });
}

// A field that holds the code for copying, or one character of it: "<input readonly value=482913>".
function addField(reader: Reader, tag: Tag): void {
  const type = (readAttribute(tag.attributes, 'type') ?? 'text').toLowerCase();
  const value = readAttribute(tag.attributes, 'value') ?? '';
  const look = reader.readLook(tag);
  if (value === '' || look.hidden || !fieldTypes.has(type) || isUnseen(reader)) return;
  addBreak(reader, '\t');
  const start = reader.length;
  addText(reader, value.slice(0, altMax));
  if (reader.length > start && reader.prominent.length < prominentMax) {
    reader.prominent.push({ start, end: reader.length, prominence: look.prominence + 1, px: look.px });
  }
  addBreak(reader, '\t');
}

function closeTag(reader: Reader, tag: Tag): void {
  if (tag.name === 'a') endLink(reader);
  const lowest = Math.max(0, reader.open.length - closeSearch);
  for (let i = reader.open.length - 1; i >= lowest; i--) {
    if (reader.open[i]?.name !== tag.name) continue;
    while (reader.open.length > i) closeTop(reader);
    break;
  }
  breakFor(reader, tag.name);
}

function closeTop(reader: Reader): void {
  const element = reader.open.pop();
  if (element?.apart !== undefined && reader.apart.length < linksMax) {
    reader.apart.push({ start: element.start, end: reader.length, as: element.apart });
  }
  if (!element || element.prominence === 0 || reader.prominent.length >= prominentMax) return;
  const size = reader.length - element.start;
  if (size > 0 && size <= prominentMaxLength) {
    reader.prominent.push({
      start: element.start,
      end: reader.length,
      prominence: element.prominence,
      px: element.px,
    });
  }
}

function breakFor(reader: Reader, name: string): void {
  if (blockTags.has(name)) addBreak(reader, '\n');
  else if (cellTags.has(name)) addBreak(reader, '\t');
}

function addBreak(reader: Reader, mark: '\n' | '\t'): void {
  // A wrapper of size zero still separates the blocks in it.
  if (reader.open.at(-1)?.hidden) {
    reader.hidden.push(mark);
    return;
  }
  if (reader.lastUnit !== newline && !(mark === '\t' && reader.lastUnit === tab)) append(reader, mark);
}

function isUnseen({ open }: Reader): boolean {
  const top = open.at(-1);
  return top !== undefined && (top.hidden || top.sizeless);
}

function append(reader: Reader, text: string): void {
  reader.pieces.push(text);
  reader.length += text.length;
  reader.lastUnit = text.charCodeAt(text.length - 1);
}

function addText(reader: Reader, raw: string): void {
  const pre = reader.open.at(-1)?.name === 'pre';
  const text = cleanText(decodeEntities(pre ? raw : raw.replace(/[ \t\r\n\f]+/g, ' ')));
  if (text === '') return;
  if (isUnseen(reader)) {
    reader.hidden.push(text);
    return;
  }
  if (reader.afterTag && needsSpace(reader, text)) append(reader, ' ');
  append(reader, text);
  reader.lastLength = text.length;
  reader.afterTag = false;
}

// "<b>code</b><b>123456</b>" shows two things; "<i>F</i><i>7</i>" is one code with a tag per character.
function needsSpace(reader: Reader, text: string): boolean {
  const left = reader.lastUnit;
  const right = text.charCodeAt(0);
  if (reader.lastLength === 1 && text.length === 1) return false;
  return (isDigit(left) && isLetter(right)) || (isLetter(left) && isDigit(right));
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetter(unit: number): boolean {
  return ((unit | 32) >= 97 && (unit | 32) <= 122) || unit >= 0xc0;
}

/** An area, a form, or the button that sends one, possibly elsewhere; its words name the form. */
function addOffer(reader: Reader, { name, attributes }: Tag): void {
  const read = (attribute: string): string => (readAttribute(attributes, attribute) ?? '').slice(0, altMax);
  const address = { area: 'href', form: 'action' }[name] ?? 'formaction';
  const href = readAttribute(attributes, address);
  const isSubmit = name === 'input' && /^(?:submit|image)$/i.test(read('type'));
  const words = read(isSubmit ? 'value' : 'alt') || read('title');
  const form = reader.form === undefined ? undefined : reader.offers[reader.form];
  if (form !== undefined && isSubmit) form.name ||= words;
  if (href === undefined || href === '' || reader.offers.length >= linksMax) return;
  if (name === 'form') reader.form = reader.offers.length;
  reader.offers.push({ href, start: reader.length, end: reader.length, name: words });
}

function startLink(reader: Reader, tag: Tag): void {
  endLink(reader);
  const href = readAttribute(tag.attributes, 'href');
  if (href !== undefined && href !== '') reader.link = { href, start: reader.length };
}

function endLink(reader: Reader): void {
  const { link } = reader;
  reader.link = undefined;
  if (!link || reader.links.length >= linksMax) return;
  reader.links.push({ href: link.href, start: link.start, end: reader.length });
}
