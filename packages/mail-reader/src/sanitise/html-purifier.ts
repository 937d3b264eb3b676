// One pass of DOMPurify over a message's HTML, with our allow-list and hooks, on any DOM. Made by sanitise-html, which
// decides whether one pass is enough.
import createDOMPurify, { type Config, type WindowLike } from 'dompurify';
import { markupConfig, removedWhole } from './allowed-markup.ts';
import { doctypes, type DocumentMode } from './doctypes.ts';
import { readMode } from './document-mode.ts';
import {
  type AttributeEvent,
  type ElementNode,
  finishElement,
  type SanitiseJob,
  visitAttribute,
  visitElement,
} from './markup-hooks.ts';

/**
 * Sanitises HTML once and adds the findings to the job. The result is a page without a doctype; parsing it again need
 * not give the same.
 */
export type HtmlPurifier = (job: SanitiseJob, html: string) => string;

interface DomElement extends ElementNode {
  readonly ownerDocument: {
    /** On our DOM alone: jsdom's `compatMode` is wrong for old doctypes. */
    readonly mode?: DocumentMode;
    createElement(name: string): DomElement;
  };
  readonly outerHTML: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly children: Iterable<DomElement>;
  getElementsByTagName(name: string): Iterable<DomElement>;
}

/** DOMPurify in the types used here: its own refer to the browser's, which a Node program lacks. */
interface Purifier {
  readonly isSupported: boolean;
  addHook(entry: string, hook: (node: ElementNode, event: AttributeEvent) => void): void;
  setConfig(config: Config): void;
  sanitize(html: string): DomElement;
}

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
    if (!job.isFirstPass) return serialise(purify.sanitize(doctypes[job.mode] + html));
    const root = purify.sanitize(html);
    job.mode = root.ownerDocument.mode ?? readMode(html);
    return serialise(root);
  };
}

/** Keeps only the style sheets of the head. */
function serialise(root: DomElement): string {
  // A loop, because a selector costs more in jsdom than walking.
  const [head, body] = ['head', 'body'].map((name) =>
    [...root.children].find((child) => child.localName === name),
  );
  const styles = [...(head?.getElementsByTagName('style') ?? [])].filter((style) => style.textContent !== '');
  const sheets = styles.map((style) => style.outerHTML).join('');
  // An empty element of the same attributes writes them as the rest is written.
  const empty = root.ownerDocument.createElement('html');
  for (const { name, value } of root.attributes) empty.setAttribute(name, value);
  const [start = ''] = empty.outerHTML.split('</html>');
  return `${start}<head>${sheets}</head>${body?.outerHTML ?? '<body></body>'}</html>`;
}
