// Finds and classifies the links of a message: the entry point of link extraction. Called with decoded, untrusted
// parts by the reading side; a pure function, linear in the size of its input.
import { classifyLink, type LinkKind } from './classify-link.ts';
import { cleanText } from './fold-text.ts';
import { findBase, isClickable, toAddress } from './link-address.ts';
import { type HtmlLink, readHtml } from './read-html.ts';
import { findTextAddresses } from './text-addresses.ts';

export interface FoundLink {
  /** Absolute, with any scheme but those that act within a browser; the host is as the sender wrote it. */
  readonly url: string;
  /** The link's text, up to 120 characters; '' if none. */
  readonly text: string;
  readonly kind: LinkKind;
  /**
   * Whether a person can follow it from the message as we show it: web pages, mailto, tel and sms, but neither the
   * schemes of apps nor forms and image maps.
   */
  readonly clickable: boolean;
}

interface LinkInput {
  readonly subject: string;
  readonly text: string;
  /** Raw HTML, untrusted. */
  readonly html: string | null;
}

interface RawLink {
  readonly url: string;
  text: string;
  /** The words before the link, used when its own text says nothing. */
  readonly before: string;
  clickable: boolean;
}

const linksMax = 200;
const urlMax = 4096;
const textMax = 64 * 1024;
const labelMax = 120;
const beforeLength = 160;
const order: readonly LinkKind[] = ['verify', 'login', 'reset', 'invite', 'other', 'unsubscribe'];

/**
 * Returns links in order of usefulness, each URL once, at most 200. Within a kind web pages are first; otherwise in the
 * order of the message.
 */
export function findLinks(input: LinkInput): FoundLink[] {
  const byUrl = new Map<string, RawLink>();
  for (const link of [...linksOfHtml(input.html), ...linksOfText(input.text, true)]) {
    const known = byUrl.get(link.url);
    if (!known) {
      byUrl.set(link.url, link);
      continue;
    }
    if (known.text === '') known.text = link.text;
    known.clickable ||= link.clickable;
  }
  const subject = cleanText(input.subject.slice(0, 998));
  const found = [...byUrl.values()].map(({ url, text, before, clickable }): FoundLink => {
    return { url, text, kind: classifyLink({ url, text, before, subject }), clickable };
  });
  found.sort((a, b) => rank(a) - rank(b));
  return found.slice(0, linksMax);
}

function rank({ kind, url }: FoundLink): number {
  return 2 * order.indexOf(kind) + (/^https?:/i.test(url) ? 0 : 1);
}

function linksOfHtml(html: string | null): RawLink[] {
  if (html === null || html === '') return [];
  const read = readHtml(html);
  const base = findBase(html);
  const named = read.links.flatMap((link, i) => {
    const from = Math.max(0, link.start - beforeLength, read.links[i - 1]?.end ?? 0);
    return toRawLink(link, { base, before: read.text.slice(from, link.start) });
  });
  const offered = read.offers.flatMap((offer) => {
    const from = Math.max(0, offer.start - beforeLength);
    const [link] = toRawLink(offer, { base, before: read.text.slice(from, offer.start) });
    return link === undefined ? [] : [{ ...link, clickable: false }];
  });
  const linked = read.links.filter(({ href }) => toAddress(href, base) !== undefined);
  return [...named, ...offered, ...linksOfText(withoutSpans(read.text, linked), false)];
}

function toRawLink(
  { href, text }: HtmlLink,
  { base, before }: { readonly base: string | undefined; readonly before: string },
): RawLink[] {
  const url = toAddress(href, base);
  if (url === undefined || url.length > urlMax) return [];
  return [{ url, text: toLabel(text), before: toLabel(before, beforeLength), clickable: isClickable(url) }];
}

// A URL in a link's text is not where the link leads, and may run into the following text.
function withoutSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    if (start > from) kept.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  return [...kept, text.slice(from)].join(' ');
}

function linksOfText(raw: string, hasLines: boolean): RawLink[] {
  const text = raw.slice(0, textMax);
  const links: RawLink[] = [];
  let lineStart = 0;
  for (const { address, start, end } of findTextAddresses(text, hasLines)) {
    const url = address.length > urlMax ? undefined : toAddress(address);
    if (url === undefined) continue;
    lineStart = Math.max(lineStart, start - beforeLength);
    const before = toLabel(cleanText(text.slice(lineStart, start)), beforeLength);
    links.push({ url, text: '', before, clickable: isClickable(url) });
    lineStart = end;
    if (links.length >= linksMax * 5) break;
  }
  return links;
}

function toLabel(text: string, length = labelMax): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return length === beforeLength ? flat.slice(-length) : flat.slice(0, length);
}
