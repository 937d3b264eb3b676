// A node of the plain DOM: the part of the DOM standard that DOMPurify and our hooks use. Nothing behind it loads,
// runs, listens or can be shadowed by names in a message. Siblings are a linked list, so moves and removals take
// constant time. Made by parse-plain-document, and by DOMPurify through plain-window; every field may be changed.

export const nodeTypes = { element: 1, text: 3, comment: 8, document: 9, doctype: 10, fragment: 11 } as const;

/** The document that a node was made for. */
export interface NodeOwner {
  /** Called while `node` is still in its place, so that walks can adjust. */
  recordRemoval(node: PlainNode): void;
  /** Returns the HTML of the node or of its content. */
  serialise(node: PlainNode, part: 'outer' | 'inner'): string;
}

export class PlainNode {
  readonly owner: NodeOwner | null;
  readonly type: number;
  readonly name: string;
  parent: PlainNode | null = null;
  previous: PlainNode | null = null;
  next: PlainNode | null = null;
  first: PlainNode | null = null;
  last: PlainNode | null = null;
  /** The result of `childNodes` until it changes. */
  #children: PlainNode[] | null = null;

  constructor(owner: NodeOwner | null, type: number, name: string) {
    this.owner = owner;
    this.type = type;
    this.name = name;
  }

  get nodeType(): number {
    return this.type;
  }

  /** As the parser has it: HTML's elements are in lower case here, which none of our callers distinguishes. */
  get nodeName(): string {
    return this.name;
  }

  get ownerDocument(): NodeOwner | null {
    return this.owner;
  }

  get parentNode(): PlainNode | null {
    return this.parent;
  }

  get nextSibling(): PlainNode | null {
    return this.next;
  }

  get firstChild(): PlainNode | null {
    return this.first;
  }

  /** Not live, but the same array while nothing changes. */
  get childNodes(): PlainNode[] {
    this.#children ??= listFrom(this.first);
    return this.#children;
  }

  get textContent(): string {
    let text = '';
    for (let node = following(this, this); node !== null; node = following(node, this)) {
      if (node instanceof PlainText) text += node.data;
    }
    return text;
  }

  set textContent(text: string) {
    while (this.first !== null) this.removeChild(this.first);
    if (text !== '') this.appendChild(new PlainText(this.owner, text));
  }

  hasChildNodes(): boolean {
    return this.first !== null;
  }

  appendChild(node: PlainNode): PlainNode {
    return this.insertBefore(node, null);
  }

  /** @throws Error when the reference is not a child, which DOMPurify never passes */
  insertBefore(node: PlainNode, reference: PlainNode | null): PlainNode {
    if (reference !== null && reference.parent !== this) throw new Error('no child of this node');
    if (node === reference) return node;
    node.remove();
    const previous = reference === null ? this.last : reference.previous;
    node.parent = this;
    node.previous = previous;
    node.next = reference;
    if (previous === null) this.first = node;
    else previous.next = node;
    if (reference === null) this.last = node;
    else reference.previous = node;
    this.#children = null;
    return node;
  }

  removeChild(node: PlainNode): PlainNode {
    if (node.parent !== this) throw new Error('no child of this node');
    this.owner?.recordRemoval(node);
    if (node.previous === null) this.first = node.next;
    else node.previous.next = node.next;
    if (node.next === null) this.last = node.previous;
    else node.next.previous = node.previous;
    node.parent = node.previous = node.next = null;
    this.#children = null;
    return node;
  }

  remove(): void {
    this.parent?.removeChild(this);
  }
}

export class PlainText extends PlainNode {
  data: string;

  constructor(owner: NodeOwner | null, data: string) {
    super(owner, nodeTypes.text, '#text');
    this.data = data;
  }

  override get textContent(): string {
    return this.data;
  }

  override set textContent(text: string) {
    this.data = text;
  }
}

export class PlainComment extends PlainNode {
  readonly data: string;

  constructor(owner: NodeOwner | null, data: string) {
    super(owner, nodeTypes.comment, '#comment');
    this.data = data;
  }

  override get textContent(): string {
    return this.data;
  }
}

/** Returns the next node below `root` in document order. */
export function following(node: PlainNode, root: PlainNode): PlainNode | null {
  if (node.first !== null) return node.first;
  for (let at: PlainNode | null = node; at !== null && at !== root; at = at.parent) {
    if (at.next !== null) return at.next;
  }
  return null;
}

function listFrom(first: PlainNode | null): PlainNode[] {
  const nodes: PlainNode[] = [];
  for (let node = first; node !== null; node = node.next) nodes.push(node);
  return nodes;
}
