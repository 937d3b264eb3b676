// An element of the plain DOM, with its attributes in order. See plain-node.
import type { html } from 'parse5';

import { following, type NodeOwner, nodeTypes, PlainNode } from './plain-node.ts';

export interface PlainAttribute {
  /** With its prefix. */
  readonly name: string;
  value: string;
  readonly namespaceURI: string | null;
}

export interface ElementParts {
  readonly name: string;
  readonly namespace: html.NS;
  /** Owned by the element from then on. */
  readonly attrs: PlainAttribute[];
}

export class PlainElement extends PlainNode {
  readonly namespace: html.NS;
  readonly attrs: PlainAttribute[];
  /** The content of a template, which has no children. */
  content: PlainNode | undefined = undefined;
  /** Never null: each element is made for a document. */
  declare readonly owner: NodeOwner;

  constructor(owner: NodeOwner, { name, namespace, attrs }: ElementParts) {
    super(owner, nodeTypes.element, name);
    this.namespace = namespace;
    this.attrs = attrs;
  }

  get localName(): string {
    return this.name;
  }

  get namespaceURI(): string {
    return this.namespace;
  }

  get attributes(): PlainAttribute[] {
    return this.attrs;
  }

  get children(): PlainElement[] {
    return this.childNodes.filter((node) => node instanceof PlainElement);
  }

  get firstElementChild(): PlainElement | null {
    let node = this.first;
    while (node !== null && !(node instanceof PlainElement)) node = node.next;
    return node;
  }

  get innerHTML(): string {
    return this.owner.serialise(this, 'inner');
  }

  get outerHTML(): string {
    return this.owner.serialise(this, 'outer');
  }

  /** `*` matches all. The result is not live. */
  getElementsByTagName(name: string): PlainElement[] {
    return findElements(this, name);
  }

  hasAttribute(name: string): boolean {
    return this.getAttributeNode(name) !== null;
  }

  getAttribute(name: string): string | null {
    return this.getAttributeNode(name)?.value ?? null;
  }

  getAttributeNode(name: string): PlainAttribute | null {
    return this.attrs.find((attribute) => attribute.name === name) ?? null;
  }

  setAttribute(name: string, value: string): void {
    this.setAttributeNS(null, name, value);
  }

  setAttributeNS(namespaceURI: string | null, name: string, value: string): void {
    const known = this.getAttributeNode(name);
    if (known === null) this.attrs.push({ name, value, namespaceURI });
    else known.value = value;
  }

  removeAttribute(name: string): void {
    const known = this.getAttributeNode(name);
    if (known !== null) this.removeAttributeNode(known);
  }

  /** @throws Error when the attribute is not the element's */
  removeAttributeNode(attribute: PlainAttribute): PlainAttribute {
    // DOMPurify removes from the last to the first.
    const index = this.attrs.lastIndexOf(attribute);
    if (index === -1) throw new Error('no attribute of this element');
    this.attrs.splice(index, 1);
    return attribute;
  }
}

/** In document order, without `root` and the contents of templates. */
export function findElements(root: PlainNode, name: string): PlainElement[] {
  const found: PlainElement[] = [];
  for (let node = following(root, root); node !== null; node = following(node, root)) {
    if (node instanceof PlainElement && (name === '*' || node.name === name)) found.push(node);
  }
  return found;
}
