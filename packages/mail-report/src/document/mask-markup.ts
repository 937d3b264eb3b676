// The text of HTML in its place: everything else is replaced by spaces, so that offsets stay those of the source.

import type { HtmlDocument } from './html-document.ts';

const markup = /<!--[^]*?(?:-->|$)|<\/?[a-z][^>]*(?:>|$)|<![^>]*(?:>|$)/gi;
const unread = new Set(['style', 'script', 'textarea', 'noscript']);

/** Conditional comments are masked as well: only one program reads them. */
export function maskMarkup({ html, elements }: HtmlDocument): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { name, offset, endOffset } of elements) {
    if (!unread.has(name) || offset === undefined || endOffset === undefined || offset < at) continue;
    pieces.push(html.slice(at, offset), blank(html.slice(offset, endOffset)));
    at = endOffset;
  }
  pieces.push(html.slice(at));
  return pieces.join('').replaceAll(markup, blank);
}

function blank(text: string): string {
  return text.includes('\n') ? text.replaceAll(/[^\n]/g, ' ') : ' '.repeat(text.length);
}
