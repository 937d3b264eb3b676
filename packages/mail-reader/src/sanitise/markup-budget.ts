// Limits what a parser may make of a message's HTML. By the rules of HTML a few bytes can expand enormously: open
// formatting elements are recreated in every paragraph with all their attributes, and each tag is compared with every
// open element. Real messages come nowhere near these limits. Used by both of our parsers.

/** A tag has at least three characters; tables imply the elements they omit. */
const charsPerElement = 2;
const spareElements = 1_000;
/** Attributes are copied with recreated formatting elements. */
const attributeFactor = 8;
const spareAttributeChars = 262_144;
const depthMax = 1_000;

/** The markup is built to be costly and therefore refused. */
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

  /** `chars` is the length of the HTML as received. */
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

  /** Counts an opened element. @throws ExcessiveMarkupError */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new ExcessiveMarkupError();
  }

  leave(): void {
    this.#depth -= 1;
  }
}
