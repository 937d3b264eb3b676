// Decides about each element and attribute while DOMPurify walks a message: styles go through the CSS parser, images
// become gaps or go, links open outside, and removals are counted. Made by sanitise-html, one set for all messages;
// `job` is the message being walked. Nothing changes after DOMPurify is done.
import { cleanStyleAttribute, cleanStylesheet, type CleanCss } from './clean-css.ts';
import { slotScheme } from './allowed-markup.ts';
import { readImageSource } from './image-source.ts';
import { flagLink, type LinkFlag } from './link-flags.ts';
import { countRemoteReferences } from './remote-reference.ts';
import type { ImageSlot } from './safe-html.ts';

/** Remote images: removed, loaded by the browser, or left as gaps for a proxy's URLs. */
export type RemoteImages = 'none' | 'browser' | 'proxy';

/** One message being sanitised. */
export interface SanitiseJob {
  readonly images: RemoteImages;
  readonly contentIds: ReadonlySet<string>;
  /** Part of every placeholder; a sender cannot guess it. */
  readonly nonce: string;
  readonly slots: ImageSlot[];
  /** Length of all their addresses. */
  slotChars: number;
  readonly flaggedLinks: Map<string, Set<LinkFlag>>;
  readonly styles: Map<string, CleanCss>;
  remoteContent: number;
  remoteImages: number;
  /** Later passes only prove that nothing changes any more, and count nothing. */
  isFirstPass: boolean;
}

/** The members of a DOM element used here. */
export interface ElementNode {
  readonly nodeType: number;
  readonly localName: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  getElementsByTagName(name: string): Iterable<ElementNode>;
}

export interface AttributeEvent {
  readonly attrName: string;
  attrValue: string;
  keepAttr: boolean;
}

const elementType = 1;
/** The most gaps in one message; further images are not shown. */
const maxSlots = 1_000;
const maxSlotChars = 262_144;

/** Set on every link: it opens outside and reveals no referrer. */
export const linkAttributes = [
  ['target', '_blank'],
  ['rel', 'noopener noreferrer nofollow'],
] as const;

/** Runs before an element is kept or removed. */
export function visitElement(
  job: SanitiseJob,
  node: ElementNode,
  isRemovedWhole: (tag: string) => boolean,
): void {
  if (node.nodeType !== elementType) return;
  if (job.isFirstPass) {
    // Allowed images are counted by their attribute, if it is removed.
    if (node.localName !== 'img') job.remoteContent += countRemoteReferences(node);
    if (isRemovedWhole(node.localName)) {
      for (const inner of node.getElementsByTagName('*')) job.remoteContent += countRemoteReferences(inner);
    }
  }
  if (node.localName === 'style') {
    node.textContent = count(job, cleanStylesheet(node.textContent ?? ''));
  } else if (node.localName === 'body') {
    moveBodyColours(node);
  }
}

/** Converts the old attributes of body, which mean nothing on the element that replaces it. */
function moveBodyColours(body: ElementNode): void {
  const colours = [
    ['background-color', body.getAttribute('bgcolor')],
    ['color', body.getAttribute('text')],
  ].filter(([, value]) => value !== null && value !== undefined && /^[#\w]{1,40}$/.test(value));
  body.removeAttribute('bgcolor');
  if (colours.length === 0) return;
  const style = colours.map(([property, value]) => `${property}:${value}`).join(';');
  body.setAttribute('style', `${style};${body.getAttribute('style') ?? ''}`);
}

export function visitAttribute(job: SanitiseJob, node: ElementNode, event: AttributeEvent): void {
  switch (event.attrName) {
    case 'style':
      event.attrValue = cleanStyle(job, event.attrValue);
      event.keepAttr = event.attrValue !== '';
      return;
    case 'href':
      event.attrValue = event.attrValue.replace(/[\t\n\r]/g, '').trim();
      event.keepAttr = node.localName === 'a' && isOutsideAddress(event.attrValue);
      return;
    case 'src':
      chooseImage(job, node, event);
      return;
    case 'srcset':
      // Each image counts once: by `src`, or here if it has only this.
      if (job.isFirstPass && node.localName === 'img' && !node.hasAttribute('src')) {
        job.remoteContent += countRemoteReferences(node);
      }
      event.keepAttr = false;
  }
}

/** Mail repeats a few styles many times. */
export function cleanStyle(job: SanitiseJob, text: string): string {
  const known = job.styles.get(text);
  const clean = known ?? cleanStyleAttribute(text);
  if (known === undefined) job.styles.set(text, clean);
  return count(job, clean);
}

function count(job: SanitiseJob, { css, remoteContent }: CleanCss): string {
  if (job.isFirstPass) job.remoteContent += remoteContent;
  return css;
}

export function isOutsideAddress(href: string): boolean {
  return /^mailto:/i.test(href) || (/^https?:\/\/[^/\s?#]/i.test(href) && URL.canParse(href));
}

function chooseImage(job: SanitiseJob, node: ElementNode, event: AttributeEvent): void {
  event.keepAttr = false;
  if (node.localName !== 'img') return;
  if (isOwnPlaceholder(job, event.attrValue)) {
    event.keepAttr = true;
    return;
  }
  const source = readImageSource(event.attrValue);
  if (source.kind === 'data') {
    event.attrValue = source.url;
    event.keepAttr = true;
  } else if (source.kind === 'part' && job.contentIds.has(source.contentId)) {
    keepGap(event, addSlot(job, source));
  } else if (source.kind === 'remote' && job.images !== 'none') {
    keepGap(event, job.images === 'proxy' ? addSlot(job, source) : source.url);
  } else if (source.kind === 'remote' && job.isFirstPass) {
    job.remoteContent += 1;
    job.remoteImages += 1;
  }
}

function keepGap(event: AttributeEvent, value: string | undefined): void {
  event.attrValue = value ?? '';
  event.keepAttr = value !== undefined;
}

export function isOwnPlaceholder(job: SanitiseJob, value: string): boolean {
  return !job.isFirstPass && value.startsWith(`${slotScheme}:${job.nonce}-`);
}

/** Undefined when the message has too many: each gap is filled for every reader, on the main thread. */
function addSlot(job: SanitiseJob, slot: ImageSlot): string | undefined {
  const chars = slot.kind === 'remote' ? slot.url.length : slot.contentId.length;
  if (job.slots.length >= maxSlots || job.slotChars + chars > maxSlotChars) return undefined;
  job.slotChars += chars;
  job.slots.push(slot);
  return `${slotScheme}:${job.nonce}-${job.slots.length - 1};`;
}

/** Runs after the attributes of an element are decided. */
export function finishElement(job: SanitiseJob, node: ElementNode): void {
  if (node.localName !== 'a' || !node.hasAttribute('href')) return;
  noteFlags(job, node, node.getAttribute('href') ?? '');
  // Set last, so that they stay in each further pass.
  for (const [name, value] of linkAttributes) node.setAttribute(name, value);
}

function noteFlags(job: SanitiseJob, node: ElementNode, url: string): void {
  if (!/^https?:/i.test(url)) return;
  const flags = flagLink(url, node.textContent ?? '');
  if (flags.length === 0) return;
  node.setAttribute('title', `Opens ${new URL(url).host}`);
  const known = job.flaggedLinks.get(url) ?? new Set();
  for (const flag of flags) known.add(flag);
  job.flaggedLinks.set(url, known);
}
