// A message's HTML as a document of the plain DOM, parsed by parse5 like jsdom's, by the rules of browsers.
import { html, parse, serialize, serializeOuter } from 'parse5';

import type { DocumentMode } from '../doctypes.ts';
import { toDocumentMode } from '../document-mode.ts';
import { MarkupBudget } from '../markup-budget.ts';
import { findElements, PlainElement } from './plain-element.ts';
import { type NodeOwner, nodeTypes, PlainNode } from './plain-node.ts';
import { PlainTree, type PlainTreeTypes } from './plain-tree.ts';
import { PlainWalk } from './plain-walk.ts';

export class PlainDocument extends PlainNode implements NodeOwner {
  readonly tree: PlainTree;
  /** Walks that have not ended. */
  readonly #walks = new Set<PlainWalk>();

  constructor(budget: MarkupBudget = new MarkupBudget(0)) {
    super(null, nodeTypes.document, '#document');
    this.tree = new PlainTree(this, budget);
  }

  get mode(): DocumentMode {
    return toDocumentMode(this.tree.getDocumentMode());
  }

  get documentElement(): PlainElement | null {
    return findChild(this, ['html']);
  }

  get body(): PlainElement | null {
    return findChild(this.documentElement, ['body', 'frameset']);
  }

  getElementsByTagName(name: string): PlainElement[] {
    return findElements(this, name);
  }

  createElement(name: string): PlainElement {
    return new PlainElement(this, { name, namespace: html.NS.HTML, attrs: [] });
  }

  createDocumentFragment(): PlainNode {
    return this.tree.createDocumentFragment();
  }

  createNodeIterator(root: PlainNode, shown: number): PlainWalk {
    const walk = new PlainWalk(root, shown, () => this.#walks.delete(walk));
    this.#walks.add(walk);
    return walk;
  }

  recordRemoval(node: PlainNode): void {
    for (const walk of this.#walks) walk.beforeRemoval(node);
  }

  serialise(node: PlainNode, part: 'outer' | 'inner'): string {
    const options = { treeAdapter: this.tree, scriptingEnabled: false };
    return part === 'outer'
      ? serializeOuter<PlainTreeTypes>(node, options)
      : serialize<PlainTreeTypes>(node, options);
  }
}

/**
 * `noscript` is parsed as markup, since the pages that show messages run no scripts, unless `scriptingEnabled` keeps
 * its text apart.
 * @throws ExcessiveMarkupError
 */
export function parsePlainDocument(text: string, { scriptingEnabled = false } = {}): PlainDocument {
  const document = new PlainDocument(new MarkupBudget(text.length));
  parse<PlainTreeTypes>(text, { treeAdapter: document.tree, scriptingEnabled });
  return document;
}

function findChild(parent: PlainNode | null, names: readonly string[]): PlainElement | null {
  let node = parent?.first ?? null;
  while (node !== null && !(node instanceof PlainElement && names.includes(node.name))) node = node.next;
  return node;
}
