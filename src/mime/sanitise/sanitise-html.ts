// A message's HTML made safe to show: DOMPurify over jsdom with an allow-list, repeated until parsing its own result is
// shown to change nothing any more, which is what mutation attacks need. Runs in the sanitiser's worker only: it blocks, and
// a sender can make it take long. It loads nothing and runs no script of the message.
import { randomBytes } from 'node:crypto';
import createDOMPurify, { type Config, type WindowLike } from 'dompurify';
// @ts-expect-error jsdom has no types of its own, and those written for it would give browser globals to every file.
import { JSDOM } from 'jsdom';
import { markupConfig, removedWhole, slotScheme } from './allowed-markup.ts';
import { isSettled } from './is-settled.ts';
import {
  type AttributeEvent,
  type ElementNode,
  finishElement,
  type RemoteImages,
  type SanitiseJob,
  visitAttribute,
  visitElement,
} from './markup-hooks.ts';
import type { SafeHtml } from './safe-html.ts';

export interface SanitiseInput {
  /** Untrusted. */
  html: string;
  images: RemoteImages;
  /** Of the inline parts that can be shown, without angle brackets. */
  contentIds: readonly string[];
}

export interface HtmlCleaner {
  /** Undefined when no stable form was reached: then there is nothing that could be shown. */
  sanitise(input: SanitiseInput): SafeHtml | undefined;
}

interface DomElement extends ElementNode {
  readonly ownerDocument: { createElement(name: string): DomElement };
  readonly outerHTML: string;
  readonly innerHTML: string;
  readonly firstChild: object | null;
  readonly children: Iterable<DomElement>;
  appendChild(child: object): void;
  getElementsByTagName(name: string): Iterable<DomElement>;
}

interface DomWindow {
  addEventListener: () => void;
  readonly CSSStyleDeclaration: { readonly prototype: object };
}

/** DOMPurify in the types that are used here: its own name the browser's, which a program for Node does not have. */
interface Purifier {
  readonly isSupported: boolean;
  addHook(entry: string, hook: (node: ElementNode, event: AttributeEvent) => void): void;
  setConfig(config: Config): void;
  sanitize(html: string): DomElement;
}

/** One for ordinary mail, one more to see it unchanged where is-settled is in doubt, and room for what settles slowly. */
const maxPasses = 5;
/** What of html and body is carried over to the element that takes their place. */
const bodyAttributes = ['id', 'class', 'style', 'dir', 'lang'];
/** Documents with a doctype and without one parse differently; ours is shown with one. */
const doctype = '<!DOCTYPE html>';

/** Takes half a second and 60 MB, once a thread. */
export function createHtmlCleaner(): HtmlCleaner {
  const { window } = new (JSDOM as new (html: string) => { window: DomWindow })('');
  // Each document that jsdom parses leaves listeners at the window, which would hold every message for good.
  window.addEventListener = () => undefined;
  leaveStylesUnread(window);
  const purify = createDOMPurify(window as unknown as WindowLike) as unknown as Purifier;
  if (!purify.isSupported) throw new Error('DOMPurify does not work on this DOM');
  purify.setConfig(markupConfig);
  const removed = new Set(removedWhole);
  let job: SanitiseJob | undefined;
  const current = (): SanitiseJob => {
    if (job === undefined) throw new Error('no message is being sanitised');
    return job;
  };
  purify.addHook('uponSanitizeElement', (node) => {
    visitElement(current(), node, (tag) => removed.has(tag));
  });
  purify.addHook('uponSanitizeAttribute', (node, event) => {
    visitAttribute(current(), node, event);
  });
  purify.addHook('afterSanitizeAttributes', (node) => {
    finishElement(current(), node);
  });
  const pass = (html: string): string => serialise(purify.sanitize(doctype + html));
  return {
    sanitise(input) {
      job = createJob(input);
      const html = settle(job, input.html, pass);
      return html === undefined ? undefined : toSafeHtml(job, html);
    },
  };
}

/**
 * jsdom parses every `style` attribute into `element.style`, twice a pass, which is half of the time of an ordinary mail.
 * Nobody reads that here: DOMPurify and our hooks take the attribute's text, and css-tree understands it (clean-css).
 */
function leaveStylesUnread({ CSSStyleDeclaration }: DomWindow): void {
  Object.defineProperty(CSSStyleDeclaration.prototype, 'cssText', { get: () => '', set: () => undefined });
}

function createJob({ images, contentIds }: SanitiseInput): SanitiseJob {
  return {
    images,
    contentIds: new Set(contentIds),
    nonce: randomBytes(16).toString('hex'),
    slots: [],
    flaggedLinks: new Map(),
    styles: new Map(),
    remoteContent: 0,
    isFirstPass: true,
  };
}

function settle(job: SanitiseJob, html: string, pass: (html: string) => string): string | undefined {
  let known = pass(html);
  job.isFirstPass = false;
  for (let passes = 1; passes < maxPasses; passes += 1) {
    if (isSettled(job, known)) return known;
    const next = pass(known);
    if (next === known) return known;
    known = next;
  }
  return undefined;
}

/** Style sheets, then what the body holds, in an element of its own where the body had looks of its own. */
function serialise(root: DomElement): string {
  // By hand: a selector costs jsdom more than the walk.
  const [head, body] = ['head', 'body'].map((name) =>
    [...root.children].find((child) => child.localName === name),
  );
  const styles = [...(head?.getElementsByTagName('style') ?? [])].filter((style) => style.textContent !== '');
  const sheets = styles.map((style) => style.outerHTML).join('');
  return sheets + (body === undefined ? '' : serialiseBody(root, body)).trimStart();
}

function serialiseBody(root: DomElement, body: DomElement): string {
  const kept = bodyAttributes.flatMap((name): [string, string][] => {
    const value = body.getAttribute(name) ?? root.getAttribute(name);
    return value === null ? [] : [[name, value]];
  });
  if (kept.length === 0) return body.innerHTML;
  const block = body.ownerDocument.createElement('div');
  for (const [name, value] of kept) block.setAttribute(name, value);
  for (let child = body.firstChild; child !== null; child = body.firstChild) block.appendChild(child);
  return block.outerHTML;
}

function toSafeHtml(job: SanitiseJob, html: string): SafeHtml {
  const parts = html.split(new RegExp(`${slotScheme}:${job.nonce}-(\\d+);`));
  const numbers = parts.filter((_, i) => i % 2 === 1).map(Number);
  return {
    pieces: parts.filter((_, i) => i % 2 === 0),
    slots: numbers.flatMap((number) => job.slots[number] ?? []),
    remoteContent: job.remoteContent,
    flaggedLinks: [...job.flaggedLinks].map(([url, flags]) => ({ url, flags: [...flags] })),
  };
}
