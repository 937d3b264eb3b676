// The looks of all elements of a message: for certain, and if every rule applies that may. Filled by visible-html from
// the outside in.
import { PlainElement } from '../sanitise/plain-dom/plain-element.ts';
import type { PlainNode } from '../sanitise/plain-dom/plain-node.ts';
import { isTextSeen, type Look, lookOf, plainLook } from './look.ts';
import type { StyleRules } from './style-rules.ts';

interface Looks {
  readonly certain: Look;
  readonly doubtful: Look;
}

const plainLooks: Looks = { certain: plainLook, doubtful: plainLook };

export class LookBook {
  readonly #rules: StyleRules;
  readonly #looks = new Map<PlainNode, Looks>();

  constructor(rules: StyleRules) {
    this.#rules = rules;
  }

  /** @throws ExcessiveMarkupError */
  read(element: PlainElement, isFolded: boolean): void {
    const around = this.#of(element.parent);
    const { certain: sure, doubtful: unsure } = this.#rules.find(element);
    const certain = close(lookOf(element, sure, around.certain), isFolded);
    const isSame = unsure === undefined && around.doubtful === around.certain;
    const doubtful = isSame ? certain : close(lookOf(element, unsure ?? sure, around.doubtful), isFolded);
    this.#looks.set(element, { certain, doubtful });
  }

  isGone(element: PlainElement): boolean {
    const { certain, doubtful } = this.#of(element);
    return certain.isGone || doubtful.isGone;
  }

  isTextSeenIn(parent: PlainNode | null): boolean {
    const { certain, doubtful } = this.#of(parent);
    if (parent instanceof PlainElement && (certain.isShort || doubtful.isShort) && hasFollower(parent)) {
      return false;
    }
    return isTextSeen(certain) && (doubtful === certain || isTextSeen(doubtful));
  }

  /** Both, if they differ. */
  looksOf(element: PlainElement): readonly Look[] {
    const { certain, doubtful } = this.#of(element);
    return certain === doubtful ? [certain] : [certain, doubtful];
  }

  #of(node: PlainNode | null): Looks {
    return (node === null ? undefined : this.#looks.get(node)) ?? plainLooks;
  }
}

function close(look: Look, isFolded: boolean): Look {
  return isFolded ? { ...look, isGone: true } : look;
}

function hasFollower(element: PlainElement): boolean {
  for (let node: PlainNode | null = element.next; node !== null; node = node.next) {
    if (node instanceof PlainElement) return true;
  }
  return false;
}
