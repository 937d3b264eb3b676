// Sanitised HTML as stored: a page with gaps for our own image URLs, which carry tickets made anew for each reader.
// Made by the sanitiser and rendered by the service, as the page or as a fragment for another's page.
import { type DocumentMode, doctypes } from './doctypes.ts';
import type { LinkFlag } from './link-flags.ts';

/** The purpose of a gap. */
export type ImageSlot =
  { readonly kind: 'part'; readonly contentId: string } | { readonly kind: 'remote'; readonly url: string };

export interface SafeHtml {
  /** One more than `slots`; the gaps are between them. */
  readonly pieces: string[];
  readonly slots: ImageSlot[];
  readonly mode: DocumentMode;
  /** References to remote content that were removed. */
  readonly remoteContent: number;
  /** Those that are images, which can be loaded on request. */
  readonly remoteImages: number;
  /** Links that deserve a warning, each URL once. */
  readonly flaggedLinks: { readonly url: string; readonly flags: LinkFlag[] }[];
}

/** `unstable`: the markup has no stable form. `excessive`: a parser makes far more of it than its length suggests. */
export type HtmlRefusal = 'unstable' | 'excessive';

export interface RefusedHtml {
  readonly refused: HtmlRefusal;
}

export type ToUrl = (slot: ImageSlot) => string;

/**
 * Returns style sheets and content with every gap filled, the content in a block of its own if the sender's body has
 * attributes. `toUrl` gives a URL of ours.
 */
export function renderSafeHtml(safe: SafeHtml, toUrl: ToUrl): string {
  return toFragment(fillGaps(safe, toUrl));
}

/** Returns the sender's page, with `ownHead` first in its head. */
export function renderSafePage(safe: SafeHtml, toUrl: ToUrl, ownHead: string): string {
  const { root, sheets, body, content } = splitPage(fillGaps(safe, toUrl));
  const page = `<html${root}><head>${ownHead}${sheets}</head><body${body}>${content}</body></html>`;
  return doctypes[safe.mode] + page;
}

/** Attributes of html and body that the element standing for them has. */
const blockAttributes = ['id', 'class', 'style', 'dir', 'lang'];

/** `page` is the sanitiser's. */
export function toFragment(page: string): string {
  const { root, sheets, body, content } = splitPage(page);
  const own = { ...toAttributes(root), ...toAttributes(body) };
  own['style'] = [...oldColours(own), ...(own['style'] === undefined ? [] : [own['style']])].join(';');
  const kept = blockAttributes.filter((name) => (own[name] ?? '') !== '');
  if (kept.length === 0) return sheets + content.trimStart();
  return `${sheets}<div${kept.map((name) => ` ${name}="${own[name] ?? ''}"`).join('')}>${content}</div>`;
}

/** The old attributes of body as style: they mean nothing on the element that stands for it. */
function oldColours({ bgcolor, text }: Readonly<Record<string, string>>): string[] {
  return [
    ['background-color', bgcolor],
    ['color', text],
  ].flatMap(([property, value]) =>
    value !== undefined && /^#?\w{1,40}$/.test(value) ? [`${property ?? ''}:${value}`] : [],
  );
}

interface PageParts {
  /** Attributes as written, each after a space. */
  readonly root: string;
  readonly sheets: string;
  readonly body: string;
  readonly content: string;
}

// A serialised attribute contains no double quote, a cleaned style sheet no tag.
const attributes = '(?: [^\\s"=<>/]+="[^"]*")*';
const sheet = `<style${attributes}>[^<]*(?:<[= ][^<]*)*</style>`;
const pageStart = new RegExp(`^<html(${attributes})><head>((?:${sheet})*)</head><body(${attributes})>`);
const pageEnd = '</body></html>';

/** @throws Error when the page is not one that the sanitiser has written */
function splitPage(page: string): PageParts {
  const [start, root = '', sheets = '', body = ''] = pageStart.exec(page) ?? [];
  if (start === undefined || !page.endsWith(pageEnd)) throw new Error('not a page of the sanitiser');
  return { root, sheets, body, content: page.slice(start.length, -pageEnd.length) };
}

function toAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/ ([^\s"=]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function fillGaps({ pieces, slots }: SafeHtml, toUrl: ToUrl): string {
  const filled = new Map<string, string>();
  const fill = (slot: ImageSlot | undefined): string => {
    if (slot === undefined) return '';
    const name = slot.kind === 'remote' ? `r${slot.url}` : `p${slot.contentId}`;
    const value = filled.get(name) ?? escapeUrl(toUrl(slot));
    filled.set(name, value);
    return value;
  };
  return pieces.map((piece, i) => piece + fill(slots[i])).join('');
}

/**
 * A URL fills gaps in attributes, in `url()` within attributes, and in style sheets, which know no character references:
 * so it may contain nothing that means something in any of them.
 */
function escapeUrl(url: string): string {
  return url.replace(/[\s"'()<>;\\]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
