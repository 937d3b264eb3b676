// Walks a tree in document order while nodes are moved and removed: NodeIterator of the DOM standard (§6.1), forward
// only. Made by plain-document.
import { following, type PlainNode } from './plain-node.ts';

export class PlainWalk {
  readonly #root: PlainNode;
  readonly #shown: number;
  readonly #onEnd: () => void;
  /** Undefined before the first step. */
  #at: PlainNode | undefined;

  /** `shown` has a bit for each wanted type of node (NodeFilter's whatToShow). */
  constructor(root: PlainNode, shown: number, onEnd: () => void) {
    this.#root = root;
    this.#shown = shown;
    this.#onEnd = onEnd;
  }

  nextNode(): PlainNode | null {
    let next = this.#at === undefined ? this.#root : following(this.#at, this.#root);
    while (next !== null && (this.#shown & (1 << (next.type - 1))) === 0) next = following(next, this.#root);
    if (next === null) this.#onEnd();
    else this.#at = next;
    return next;
  }

  /** Steps back before the node, so that the next step finds what takes its place. */
  beforeRemoval(node: PlainNode): void {
    if (this.#at === undefined || !this.#isWithin(node)) return;
    this.#at = node.previous === null ? (node.parent ?? this.#root) : lastWithin(node.previous);
  }

  /** Reports whether the walk is in or at the node, and the node is not its root. */
  #isWithin(node: PlainNode): boolean {
    // The common removals: the current node's children, which are moved out of it.
    if (node.parent === this.#at) return false;
    for (let at = this.#at ?? null; at !== null && at !== this.#root; at = at.parent) {
      if (at === node) return true;
    }
    return false;
  }
}

function lastWithin(node: PlainNode): PlainNode {
  let at = node;
  while (at.last !== null) at = at.last;
  return at;
}
