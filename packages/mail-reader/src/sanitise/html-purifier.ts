// One pass of DOMPurify over a message's HTML, with our allow-list and hooks, on whatever DOM it is given. Made by
// sanitise-html, which decides whether one pass is enough.
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

/** HTML sanitised once; what was found goes to the job. It need not stay the same when it is parsed again. */
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

/** DOMPurify in the types that are used here: its own name the browser's, which a program for Node does not have. */
interface Purifier {
  readonly isSupported: boolean;
  addHook(entry: string, hook: (node: ElementNode, event: AttributeEvent) => void): void;
  setConfig(config: Config): void;
  sanitize(html: string): DomElement;
}

/** What of html and body is carried over to the element that takes their place. */
const bodyAttributes = ['id', 'class', 'style', 'dir', 'lang'];
/** Documents with a doctype and without one parse differently; ours is shown with one. */
const doctype = '<!DOCTYPE html>';

/** `window`: a browser's, or as much of one as DOMPurify asks for. @throws Error where that is too little */
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
