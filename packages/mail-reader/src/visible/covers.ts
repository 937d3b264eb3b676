// Finds the elements that may be drawn over others, and tells what text they may cover. How large they are is not known
// without laying the message out, so a box far from its place may cover the whole message, and one near it all around.
import type { PlainElement } from '../sanitise/plain-dom/plain-element.ts';
import { PlainElement as Element } from '../sanitise/plain-dom/plain-element.ts';
import type { PlainNode } from '../sanitise/plain-dom/plain-node.ts';
import type { LookBook } from './look-book.ts';

const pictures: ReadonlySet<string> = new Set([
  'img',
  'hr',
  'svg',
  'video',
  'canvas',
  'iframe',
  'object',
  'embed',
  'input',
]);

export class Covers {
  /** Elements that paint something, or hold one that does. */
  readonly #painted = new Set<PlainNode>();
  readonly #far = new Set<PlainNode>();
  /** By element, the parent whose text it may cover. */
  readonly #near = new Map<PlainNode, PlainNode>();
  readonly #nearIn = new Map<PlainNode, number>();
  #farAround = 0;
  #nearAround = 0;

  /** Called for each element after what it holds. */
  note(element: PlainElement, looks: LookBook): void {
    const own = looks.looksOf(element);
    if (own.every(({ isUndrawn }) => isUndrawn)) return;
    if (own.some(({ isPainted }) => isPainted) || holdsPainted(element, this.#painted)) {
      this.#painted.add(element);
    }
    if (!this.#painted.has(element) || element.parent === null) return;
    if (own.some(({ reach }) => reach === 'far')) this.#far.add(element);
    else if (own.some(({ reach }) => reach === 'near')) {
      this.#near.set(element, element.parent);
      this.#nearIn.set(element.parent, (this.#nearIn.get(element.parent) ?? 0) + 1);
    }
  }

  enter(element: PlainElement): void {
    if (this.#far.has(element)) this.#farAround += 1;
    if (this.#near.has(element)) this.#nearAround -= 1;
    this.#nearAround += this.#nearIn.get(element) ?? 0;
  }

  leave(element: PlainElement): void {
    if (this.#far.has(element)) this.#farAround -= 1;
    if (this.#near.has(element)) this.#nearAround += 1;
    this.#nearAround -= this.#nearIn.get(element) ?? 0;
  }

  /** Whether text at the place that was entered last may be covered. */
  get isCovered(): boolean {
    return this.#far.size > this.#farAround || this.#nearAround > 0;
  }
}

function holdsPainted(element: PlainElement, painted: ReadonlySet<PlainNode>): boolean {
  if (pictures.has(element.name)) return true;
  for (let node = element.first; node !== null; node = node.next) {
    if (painted.has(node) || (node instanceof Element && pictures.has(node.name))) return true;
  }
  return false;
}
