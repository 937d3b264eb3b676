// How much of a document a parser may make of a message's HTML. The rules of HTML let a few bytes stand for very much:
// formatting elements that are open are made anew in every paragraph, with all their attributes, and each tag is compared
// with every element that is open. An honest message comes nowhere near these bounds. Used by both of our parsers.

/** A tag has three characters at least; tables imply what they leave out. */
const charsPerElement = 2;
const spareElements = 1_000;
/** Attributes are copied with the formatting elements that are made anew. */
const attributeFactor = 8;
const spareAttributeChars = 262_144;
const maxDepth = 1_000;

/** The markup is refused: it is made to be costly. */
export class ExcessiveMarkupError extends Error {
  override readonly name = 'ExcessiveMarkupError';
}

interface MadeAttribute {
  readonly name: string;
  readonly value: string;
}

export class MarkupBudget {
  #elements: number;
  #attributeChars: number;
  #depth = 0;

  /** `chars`: length of the HTML as it came. */
  constructor(chars: number) {
    this.#elements = spareElements + chars / charsPerElement;
    this.#attributeChars = spareAttributeChars + attributeFactor * chars;
  }

  /** @throws ExcessiveMarkupError */
  takeElement(attributes: readonly MadeAttribute[]): void {
    this.#elements -= 1;
    for (const { name, value } of attributes) this.#attributeChars -= name.length + value.length;
    if (this.#elements < 0 || this.#attributeChars < 0) throw new ExcessiveMarkupError();
  }

  /** An element has been opened. @throws ExcessiveMarkupError */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ExcessiveMarkupError();
  }

  leave(): void {
    this.#depth -= 1;
  }
}
