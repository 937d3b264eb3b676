// Finds and classifies the links of a message: the entry point of link extraction. Called with decoded, untrusted
// parts by the reading side; a pure function, linear in the size of its input.
import { classifyLink, type LinkKind } from './classify-link.ts';
import { cleanText } from './fold-text.ts';
import { readHtml } from './read-html.ts';

export interface FoundLink {
  /** http or https; the host is as the sender wrote it. */
  readonly url: string;
  /** The link's text, up to 120 characters; '' if none. */
  readonly text: string;
  readonly kind: LinkKind;
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
}

const maxLinks = 200;
const maxUrl = 4096;
const maxText = 64 * 1024;
const maxLabel = 120;
const beforeLength = 160;
const order: readonly LinkKind[] = ['verify', 'login', 'reset', 'invite', 'other', 'unsubscribe'];

/** Returns links in order of usefulness, each URL once, at most 200; within a kind in the order of the message. */
export function findLinks(input: LinkInput): FoundLink[] {
  const byUrl = new Map<string, RawLink>();
  for (const link of [...linksOfHtml(input.html), ...linksOfText(input.text)]) {
    const known = byUrl.get(link.url);
    if (!known) byUrl.set(link.url, link);
    else if (known.text === '') known.text = link.text;
  }
  const subject = cleanText(input.subject.slice(0, 998));
  const found = [...byUrl.values()].map(({ url, text, before }): FoundLink => {
    return { url, text, kind: classifyLink({ url, text, before, subject }) };
  });
  found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return found.slice(0, maxLinks);
}

function linksOfHtml(html: string | null): RawLink[] {
  if (html === null || html === '') return [];
  const read = readHtml(html);
  const linked = read.links.filter(({ href }) => toWebUrl(href) !== undefined);
  const named = read.links.flatMap((link, i) => {
    const url = toWebUrl(link.href);
    if (url === undefined) return [];
    const from = Math.max(0, link.start - beforeLength, read.links[i - 1]?.end ?? 0);
    return [
      { url, text: toLabel(link.text), before: toLabel(read.text.slice(from, link.start), beforeLength) },
    ];
  });
  return [...named, ...linksOfText(withoutSpans(read.text, linked))];
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

function linksOfText(raw: string): RawLink[] {
  const text = raw.slice(0, maxText);
  const links: RawLink[] = [];
  let lineStart = 0;
  for (const match of text.matchAll(
    /https?:\/\/[^\s<>"'`\u00a0\u3000-\u3002\uff08-\uff0c「」『』«»\u2018-\u201f]+/gi,
  )) {
    const url = toWebUrl(trimUrl(match[0]));
    if (url === undefined) continue;
    lineStart = Math.max(lineStart, match.index - beforeLength);
    const before = toLabel(cleanText(text.slice(lineStart, match.index)), beforeLength);
    links.push({ url, text: '', before });
    lineStart = match.index + match[0].length;
    if (links.length >= maxLinks * 5) break;
  }
  return links;
}

/** Punctuation after a URL belongs to the sentence; a closing bracket too, unless the URL opened one. */
export function trimUrl(url: string): string {
  if (url.length > maxUrl) return url;
  const surplus = { ')': countOf(url, ')') - countOf(url, '('), ']': countOf(url, ']') - countOf(url, '[') };
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) break;
      surplus[last]--;
    } else if (!/[.,;:!?*_~]/.test(last)) break;
  }
  return url.slice(0, end);
}

function countOf(text: string, char: string): number {
  return text.split(char).length - 1;
}

/** Returns the URL as written without surrounding white space; undefined for anything but http and https. */
function toWebUrl(href: string): string | undefined {
  const url = href.replace(/[\t\n\r]/g, '').trim();
  if (url.length > maxUrl || !/^https?:\/\/[^/\s?#]/i.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}

function toLabel(text: string, length = maxLabel): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return length === beforeLength ? flat.slice(-length) : flat.slice(0, length);
}
