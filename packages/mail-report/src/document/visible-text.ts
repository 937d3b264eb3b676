// The text of a document's elements, without what no reader shows.

import { endOfElement, type HtmlDocument, type HtmlElement } from './html-document.ts';

const unread = new Set(['style', 'script', 'title', 'noscript', 'template', 'textarea', 'select']);

/** Returns the texts of elements, in the order of their elements. */
export function readVisibleText({ elements }: HtmlDocument): string[] {
  const texts: string[] = [];
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at];
    if (element === undefined) break;
    if (unread.has(element.name)) {
      at = endOfElement(element) - 1;
    } else if (element.text.trim() !== '') texts.push(element.text);
  }
  return texts;
}

/** Elements read for one text; more are not a link's or a heading's. */
const readMax = 500;

/** Returns the text of an element and its descendants, with the descriptions of pictures. */
export function readElementText(element: HtmlElement): string {
  const texts: string[] = [];
  const waiting = [element];
  for (
    let next = waiting.pop(), left = readMax;
    next !== undefined && left > 0;
    next = waiting.pop(), left -= 1
  ) {
    if (unread.has(next.name)) continue;
    texts.push(next.text, next.attributes.get('alt') ?? '');
    waiting.push(...next.children.toReversed());
  }
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}
