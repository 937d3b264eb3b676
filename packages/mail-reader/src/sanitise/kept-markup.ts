// The allow-list again, on parse5's tree and from the other side: reports whether sanitising leaves an element or
// attribute exactly as it is. Used by is-settled; when in doubt the answer is no.
import type { DefaultTreeAdapterTypes } from 'parse5';

import { allowedUri, markupConfig } from './allowed-markup.ts';
import {
  backgroundTags,
  choosePicture,
  cleanStyle,
  isFragment,
  linkAttributes,
  type SanitiseJob,
  toKeptHref,
} from './markup-hooks.ts';
import { idPrefix } from './clean-css.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Attribute = Element['attrs'][number];

const htmlNamespace = 'http://www.w3.org/1999/xhtml';
const tags = new Set(markupConfig.ALLOWED_TAGS as readonly string[]);
const attributes = new Set(markupConfig.ALLOWED_ATTR as readonly string[]);
/** Their values are words for people, or names. */
const wordAttributes: ReadonlySet<string> = new Set(['alt', 'class', 'role', 'summary', 'title']);
/** Sequences that DOMPurify takes for a way out of an attribute. */
const breakOut = /[-\]!]>|<\//;
const ignoredInAddress = /[\u0000-\u0020\u00a0\u1680\u180e\u2000-\u2029\u205f\u3000]/g;

export function isKeptElement({ tagName, namespaceURI, attrs }: Element): boolean {
  if (!tags.has(tagName) || String(namespaceURI) !== htmlNamespace) return false;
  const href = tagName === 'a' ? attrs.find(({ name }) => name === 'href') : undefined;
  if (href === undefined) return true;
  if (isFragment(href.value)) return !attrs.some(({ name }) => linkAttributes.some(([own]) => own === name));
  const last = attrs.slice(-linkAttributes.length);
  return linkAttributes.every(([name, value], i) => last[i]?.name === name && last[i].value === value);
}

export function isKeptAttribute(job: SanitiseJob, { tagName }: Element, attribute: Attribute): boolean {
  const { name, value, prefix } = attribute;
  if (prefix !== undefined || breakOut.test(value)) return false;
  switch (name) {
    case 'style':
      return value !== '' && cleanStyle(job, value) === value;
    case 'href':
      return tagName === 'a' && toKeptHref(value) === value;
    case 'src':
      return tagName === 'img' && choosePicture(job, value) === value;
    case 'background':
      return backgroundTags.has(tagName) && choosePicture(job, value) === value;
    case 'id':
      return value.startsWith(idPrefix);
    case 'name':
      return tagName === 'a' && value.startsWith(idPrefix);
  }
  if (linkAttributes.some(([own, text]) => own === name && text === value)) return tagName === 'a';
  if (!attributes.has(name) && !/^aria-[-\w]+$/.test(name)) return false;
  return value === '' || wordAttributes.has(name) || allowedUri.test(value.replace(ignoredInAddress, ''));
}
