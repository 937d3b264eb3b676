// Proves that sanitised HTML stays as it is: parsed again, it contains only what the allow-list keeps, in exactly the
// form in which it is kept, and serialises to the same text. Another pass of DOMPurify would show the same in ten
// times the time; sanitise-html makes that pass where this finds no proof, so being too strict costs only time.
import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  parse,
  serialize,
  serializeOuter,
  type TreeAdapter,
} from 'parse5';

import { isKeptAttribute, isKeptElement } from './kept-markup.ts';
import { cleanStylesheet } from './clean-css.ts';
import { MarkupBudget } from './markup-budget.ts';
import type { SanitiseJob } from './markup-hooks.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Child = DefaultTreeAdapterTypes.ChildNode;

/** `html` is the result of a pass, without a doctype. @throws ExcessiveMarkupError */
export function isSettled(job: SanitiseJob, html: string): boolean {
  const treeAdapter = createBoundedAdapter(new MarkupBudget(html.length));
  const root = parse(`<!DOCTYPE html>${html}`, { treeAdapter }).childNodes.find(isElement);
  const [head, body, ...others] = root?.childNodes ?? [];
  if (root === undefined || !isPlain(root, 'html') || others.length > 0) return false;
  if (!isPlain(head, 'head') || !isPlain(body, 'body')) return false;
  const sheets = head.childNodes.filter(isElement);
  if (!sheets.every(({ tagName }) => tagName === 'style')) return false;
  if (![...sheets, ...body.childNodes].every((node) => isKept(job, node))) return false;
  return sheets.map((sheet) => serializeOuter(sheet)).join('') + serialize(body).trimStart() === html;
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
    if (!node.attrs.every((attribute) => isKeptAttribute(job, node, attribute))) return false;
    if (node.tagName === 'style') {
      if (!isCleanSheet(node)) return false;
    } else {
      for (const child of node.childNodes) waiting.push(child);
    }
  }
  return true;
}

function isCleanSheet({ childNodes }: Element): boolean {
  const [text, ...others] = childNodes;
  if (text === undefined) return true;
  return others.length === 0 && 'value' in text && cleanStylesheet(text.value).css === text.value;
}

function isPlain(node: Child | undefined, tag: string): node is Element {
  return node !== undefined && isElement(node) && node.tagName === tag && node.attrs.length === 0;
}

function isElement(node: Child): node is Element {
  return 'tagName' in node;
}
