// Proves that sanitised HTML stays as it is: parsed again, it contains only what the allow-list keeps, in exactly the
// form in which it is kept, and serialises to the same text. Another pass of DOMPurify would show the same in ten
// times the time; sanitise-html makes that pass where this finds no proof, so being too strict costs only time.
import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  parse,
  serializeOuter,
  type TreeAdapter,
} from 'parse5';

import { doctypes } from './doctypes.ts';
import { isKeptAttribute, isKeptElement } from './kept-markup.ts';
import { MarkupBudget } from './markup-budget.ts';
import { cleanSheet, type SanitiseJob } from './markup-hooks.ts';
import { toFragment } from './safe-html.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Child = DefaultTreeAdapterTypes.ChildNode;

/** `page` is the result of a pass. @throws ExcessiveMarkupError */
export function isSettled(job: SanitiseJob, page: string): boolean {
  const root = parseWithin(doctypes[job.mode] + page);
  const [head, body, ...others] = root?.childNodes ?? [];
  if (root === undefined || others.length > 0 || !hasKeptAttributes(job, root)) return false;
  if (!isElementOf(head, 'head') || head.attrs.length > 0) return false;
  if (!isElementOf(body, 'body') || !hasKeptAttributes(job, body)) return false;
  const sheets = head.childNodes;
  if (!sheets.every((node) => isElementOf(node, 'style'))) return false;
  if (![...sheets, ...body.childNodes].every((node) => isKept(job, node))) return false;
  return serializeOuter(root) === page && isFragmentKept(job, page);
}

/** Proves that what is read without the page around it (renderSafeHtml) contains nothing else, in any mode. */
function isFragmentKept(job: SanitiseJob, page: string): boolean {
  const fragment = toFragment(page);
  return [doctypes.quirks, doctypes['no-quirks']].every((doctype) => {
    const [head, body, ...others] = parseWithin(doctype + fragment)?.childNodes ?? [];
    if (others.length > 0 || !isElementOf(head, 'head') || !isElementOf(body, 'body')) return false;
    return [...head.childNodes, ...body.childNodes].every((node) => isKept(job, node));
  });
}

function parseWithin(text: string): Element | undefined {
  const treeAdapter = createBoundedAdapter(new MarkupBudget(text.length));
  return parse(text, { treeAdapter }).childNodes.find(isElement);
}

function hasKeptAttributes(job: SanitiseJob, element: Element): boolean {
  return element.attrs.every((attribute) => isKeptAttribute(job, element, attribute));
}

function createBoundedAdapter(budget: MarkupBudget): TreeAdapter<DefaultTreeAdapterMap> {
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      budget.takeElement(attributes);
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush: () => {
      budget.enter();
    },
    onItemPop: () => {
      budget.leave();
    },
  };
}

/** Without recursion: a message may be nested as deeply as it is long. */
function isKept(job: SanitiseJob, top: Child): boolean {
  const waiting = [top];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === '#text') continue;
    if (!isElement(node) || !isKeptElement(node)) return false;
    if (!hasKeptAttributes(job, node)) return false;
    if (node.tagName === 'style') {
      if (!isCleanSheet(job, node)) return false;
    } else {
      for (const child of node.childNodes) waiting.push(child);
    }
  }
  return true;
}

function isCleanSheet(job: SanitiseJob, { childNodes }: Element): boolean {
  const [text, ...others] = childNodes;
  if (text === undefined) return true;
  return others.length === 0 && 'value' in text && cleanSheet(job, text.value).css === text.value;
}

function isElementOf(node: Child | undefined, tag: string): node is Element {
  return node !== undefined && isElement(node) && node.tagName === tag;
}

function isElement(node: Child): node is Element {
  return 'tagName' in node;
}
