// One pass of DOMPurify over a message's HTML, with our allow-list and hooks, on any DOM. Made by sanitise-html, which
// decides whether one pass is enough.
import createDOMPurify, { type Config, type WindowLike } from 'dompurify';
import { markupConfig, removedWhole } from './allowed-markup.ts';
import {
  type AttributeEvent,
  type ElementNode,
  finishElement,
  type SanitiseJob,
  visitAttribute,
  visitElement,
} from './markup-hooks.ts';

/** Sanitises HTML once and adds the findings to the job. Parsing the result again need not give the same. */
export type HtmlPurifier = (job: SanitiseJob, html: string) => string;

interface DomElement extends ElementNode {
  readonly ownerDocument: { createElement(name: string): DomElement };
  readonly outerHTML: string;
  readonly innerHTML: string;
  readonly firstChild: object | null;
  readonly children: Iterable<DomElement>;
  appendChild(child: object): void;
  getElementsByTagName(name: string): Iterable<DomElement>;
}

/** DOMPurify in the types used here: its own refer to the browser's, which a Node program lacks. */
interface Purifier {
  readonly isSupported: boolean;
  addHook(entry: string, hook: (node: ElementNode, event: AttributeEvent) => void): void;
  setConfig(config: Config): void;
  sanitize(html: string): DomElement;
}

/** Attributes of html and body that move to the element replacing them. */
const bodyAttributes = ['id', 'class', 'style', 'dir', 'lang'];
/** Documents parse differently with and without a doctype; ours is shown with one. */
const doctype = '<!DOCTYPE html>';

/** `window` is a browser's, or as much of one as DOMPurify needs. @throws Error when it is too little */
export function createHtmlPurifier(window: object): HtmlPurifier {
  const purify = createDOMPurify(window as WindowLike) as unknown as Purifier;
  if (!purify.isSupported) throw new Error('DOMPurify does not work on this DOM');
  purify.setConfig(markupConfig);
  const removed = new Set(removedWhole);
  let current: SanitiseJob | undefined;
  const getJob = (): SanitiseJob => {
    if (current === undefined) throw new Error('no message is being sanitised');
    return current;
  };
  purify.addHook('uponSanitizeElement', (node) => {
    visitElement(getJob(), node, (tag) => removed.has(tag));
  });
  purify.addHook('uponSanitizeAttribute', (node, event) => {
    visitAttribute(getJob(), node, event);
  });
  purify.addHook('afterSanitizeAttributes', (node) => {
    finishElement(getJob(), node);
  });
  return (job, html) => {
    current = job;
    return serialise(purify.sanitize(doctype + html));
  };
}

/**
 * Returns the style sheets, then the content of the body, in an element of its own if the body had styles of its own.
 */
function serialise(root: DomElement): string {
  // A loop, because a selector costs more in jsdom than walking.
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
