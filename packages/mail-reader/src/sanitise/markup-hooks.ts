// Decides about each element and attribute while DOMPurify walks a message: styles go through the CSS parser, images
// become gaps or go, links open outside, and removals are counted. Made by sanitise-html, one set for all messages;
// `job` is the message being walked. Nothing changes after DOMPurify is done.
import { cleanStyleAttribute, cleanStylesheet, type CleanCss, idPrefix } from './clean-css.ts';
import { slotScheme } from './allowed-markup.ts';
import { isClickable, toAddress } from '../extract/link-address.ts';
import type { DocumentMode } from './doctypes.ts';
import { readImageSource } from './image-source.ts';
import { flagLink, type LinkFlag } from './link-flags.ts';
import { countRemoteReferences, isRemoteReference } from './remote-reference.ts';
import type { ImageSlot } from './safe-html.ts';

/** Remote images: removed, loaded by the browser, or left as gaps for a proxy's URLs. */
export type RemoteImages = 'none' | 'browser' | 'proxy';

/** One message being sanitised. */
export interface SanitiseJob {
  readonly images: RemoteImages;
  /** The names of the message's own pictures; see findPictures. */
  readonly contentIds: ReadonlySet<string>;
  /** The address to which relative links relate; undefined for none. */
  readonly base: string | undefined;
  /** Part of every placeholder; a sender cannot guess it. */
  readonly nonce: string;
  readonly slots: ImageSlot[];
  /** Length of all their addresses. */
  slotChars: number;
  readonly flaggedLinks: Map<string, Set<LinkFlag>>;
  readonly styles: Map<string, CleanCss>;
  remoteContent: number;
  remoteImages: number;
  /** Known after the first pass. */
  mode: DocumentMode;
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
/** Elements with a background of their own in old HTML. */
export const backgroundTags: ReadonlySet<string> = new Set(
  'body table thead tbody tfoot tr td th'.split(' '),
);
const leftPicture: CleanCss = { css: '', remoteContent: 1, remoteImages: 1 };
/** The most gaps in one message; further images are not shown. */
const slotsMax = 1_000;
const slotMaxChars = 262_144;

/** Set on every link that leads out of the message: it opens outside and reveals no referrer. */
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
    node.textContent = count(job, cleanSheet(job, node.textContent ?? ''));
  }
}

export function visitAttribute(job: SanitiseJob, node: ElementNode, event: AttributeEvent): void {
  switch (event.attrName) {
    case 'style':
      event.attrValue = cleanStyle(job, event.attrValue);
      event.keepAttr = event.attrValue !== '';
      return;
    case 'href':
      event.attrValue = toKeptHref(event.attrValue, job.base) ?? '';
      event.keepAttr = node.localName === 'a' && event.attrValue !== '';
      return;
    case 'name':
      // The target of a fragment link; elsewhere a name could only stand for a property.
      event.keepAttr = node.localName === 'a';
      return;
    case 'src':
      if (keepPicture(job, event, node.localName === 'img') === 'left') count(job, leftPicture);
      return;
    case 'background': {
      const outcome = keepPicture(job, event, backgroundTags.has(node.localName));
      // Counted already, as everything that an element other than an image would load.
      if (outcome === 'left') count(job, { ...leftPicture, remoteContent: 0 });
      else if (outcome === 'kept') count(job, { css: '', remoteContent: -1, remoteImages: 0 });
      return;
    }
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
  const clean = known ?? cleanStyleAttribute(text, (url) => choosePicture(job, url));
  if (known === undefined) job.styles.set(text, clean);
  return count(job, clean);
}

export function cleanSheet(job: SanitiseJob, text: string): CleanCss {
  return cleanStylesheet(text, (url) => choosePicture(job, url));
}

function count(job: SanitiseJob, { css, remoteContent, remoteImages }: CleanCss): string {
  if (job.isFirstPass) {
    job.remoteContent += remoteContent;
    job.remoteImages += remoteImages;
  }
  return css;
}

/** Returns undefined for a link that is not kept. */
export function toKeptHref(written: string, base?: string): string | undefined {
  const href = written.replace(/[\t\n\r]/g, '').trim();
  if (isFragment(href)) {
    const target = href.slice(1);
    return target === '' || target.startsWith(idPrefix) ? href : `#${idPrefix}${target}`;
  }
  const address = toAddress(href, base);
  return address !== undefined && isClickable(address) ? address : undefined;
}

/** A place in the message itself. */
export function isFragment(href: string): boolean {
  return href.startsWith('#');
}

/** Tells what became of a remote picture; undefined for any other. */
function keepPicture(
  job: SanitiseJob,
  event: AttributeEvent,
  isShownHere: boolean,
): 'kept' | 'left' | undefined {
  const { attrValue: written } = event;
  const url = isShownHere ? choosePicture(job, written) : undefined;
  event.attrValue = url ?? '';
  event.keepAttr = url !== undefined;
  if (!isShownHere || !isRemoteReference(written)) return undefined;
  return url === undefined ? 'left' : 'kept';
}

/** Returns the address to show for that of a picture as written; undefined for none. */
export function choosePicture(job: SanitiseJob, written: string): string | undefined {
  if (isOwnPlaceholder(job, written)) return written;
  const source = findOwnPicture(job, written) ?? readImageSource(written);
  switch (source.kind) {
    case 'data':
      return source.url;
    case 'part':
      return job.contentIds.has(source.contentId) ? addSlot(job, source) : undefined;
    case 'remote':
      if (job.images === 'none') return undefined;
      return job.images === 'proxy' ? addSlot(job, source) : source.url;
    case 'none':
      return undefined;
  }
}

/** An own picture may be addressed by its Content-Location (RFC 2557 §8.2). */
function findOwnPicture(job: SanitiseJob, src: string): ImageSlot | undefined {
  const contentId = src.replace(/\s+/g, '');
  return job.contentIds.has(contentId) ? { kind: 'part', contentId } : undefined;
}

function isOwnPlaceholder(job: SanitiseJob, value: string): boolean {
  return !job.isFirstPass && value.startsWith(`${slotScheme}:${job.nonce}-`);
}

/** Undefined when the message has too many: each gap is filled for every reader, on the main thread. */
function addSlot(job: SanitiseJob, slot: ImageSlot): string | undefined {
  const chars = slot.kind === 'remote' ? slot.url.length : slot.contentId.length;
  if (job.slots.length >= slotsMax || job.slotChars + chars > slotMaxChars) return undefined;
  job.slotChars += chars;
  job.slots.push(slot);
  return `${slotScheme}:${job.nonce}-${job.slots.length - 1};`;
}

/** Runs after the attributes of an element are decided. */
export function finishElement(job: SanitiseJob, node: ElementNode): void {
  const href = node.localName === 'a' ? node.getAttribute('href') : null;
  if (href === null) return;
  if (isFragment(href)) {
    for (const [name] of linkAttributes) node.removeAttribute(name);
    return;
  }
  recordFlags(job, node, href);
  // Set last, so that they stay in each further pass.
  for (const [name, value] of linkAttributes) node.setAttribute(name, value);
}

function recordFlags(job: SanitiseJob, node: ElementNode, url: string): void {
  if (!/^https?:/i.test(url)) return;
  const flags = flagLink(url, node.textContent ?? '');
  if (flags.length === 0) return;
  node.setAttribute('title', `Opens ${new URL(url).host}`);
  const known = job.flaggedLinks.get(url) ?? new Set();
  for (const flag of flags) known.add(flag);
  job.flaggedLinks.set(url, known);
}
