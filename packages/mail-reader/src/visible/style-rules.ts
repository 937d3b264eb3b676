// The style sheets of one message, and the declarations that apply to an element: as much of the cascade as decides
// whether text is visible. Style sheets are untrusted: time is bounded, and anything beyond is refused.
import * as cssTree from 'css-tree';

import { ExcessiveMarkupError } from '../sanitise/markup-budget.ts';
import type { PlainElement } from '../sanitise/plain-dom/plain-element.ts';
import { matchesMedia } from './media-query.ts';
import { matchSelector, type Part, readSelector } from './selector.ts';

/** Values by property, both in lower case. */
export type Declarations = ReadonlyMap<string, string>;

interface Declared {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

interface Rule {
  readonly parts: readonly Part[];
  readonly specificity: number;
  readonly order: number;
  readonly declared: readonly Declared[];
}

const sheetMaxChars = 512 * 1024;
const maxRules = 10_000;
/** Comparisons of an element with a part of a selector, in one message. */
const maxSteps = 3_000_000;
const maxDepth = 8;
/** Distinct values of `style` that are cached. */
const maxInline = 1_000;
const nothing: Declarations = new Map();

export class StyleRules {
  /** By the condition of the selector's last part: `#id`, `.class`, a name, or `*`. */
  readonly #rules = new Map<string, Rule[]>();
  readonly #inline = new Map<string, readonly Declared[]>();
  #count = 0;
  #chars = 0;
  #steps = maxSteps;

  /** @throws ExcessiveMarkupError */
  addSheet(text: string, media: string): void {
    this.#chars += text.length;
    if (this.#chars > sheetMaxChars) throw new ExcessiveMarkupError();
    if (media !== '' && !matchesMedia(media)) return;
    const tree = parseCss(text, 'stylesheet');
    if (tree.type === 'StyleSheet') this.#addRules(tree.children, 0);
  }

  /** Returns the declarations that apply, `inline` among them. @throws ExcessiveMarkupError */
  find(element: PlainElement): Declarations {
    const takeStep = (): void => {
      this.#steps -= 1;
      if (this.#steps < 0) throw new ExcessiveMarkupError();
    };
    const classes = (element.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`);
    const id = element.getAttribute('id');
    const keys = new Set(['*', element.name, ...classes, ...(id === null ? [] : [`#${id}`])]);
    const found = [...keys]
      .flatMap((key) => this.#rules.get(key) ?? [])
      .filter(({ parts }) => matchSelector(element, parts, takeStep))
      .sort((one, other) => one.specificity - other.specificity || one.order - other.order)
      .flatMap(({ declared }) => declared);
    const all = [...found, ...this.#readInline(element.getAttribute('style') ?? '')];
    if (all.length === 0) return nothing;
    const inOrder = [...all.filter((each) => !each.isImportant), ...all.filter((each) => each.isImportant)];
    return new Map(inOrder.map(({ property, value }) => [property, value]));
  }

  /** Mail repeats the same style on many elements. */
  #readInline(style: string): readonly Declared[] {
    if (style === '') return [];
    const known = this.#inline.get(style);
    if (known !== undefined) return known;
    const declared = readDeclarations(style);
    if (this.#inline.size < maxInline) this.#inline.set(style, declared);
    return declared;
  }

  #addRules(nodes: cssTree.List<cssTree.CssNode>, depth: number): void {
    if (depth > maxDepth) throw new ExcessiveMarkupError();
    nodes.forEach((node) => {
      if (node.type === 'Rule') this.#addRule(node);
      if (node.type !== 'Atrule' || node.block === null) return;
      const name = node.name.toLowerCase();
      const holds =
        name === 'media'
          ? node.prelude === null || matchesMedia(cssTree.generate(node.prelude))
          : name === 'supports' || name === 'layer';
      if (holds) this.#addRules(node.block.children, depth + 1);
    });
  }

  #addRule({ prelude, block }: cssTree.Rule): void {
    if (prelude.type !== 'SelectorList') return;
    const declared = toDeclared(block.children);
    if (declared.length === 0) return;
    prelude.children.forEach((selector) => {
      const read = selector.type === 'Selector' ? readSelector(selector) : undefined;
      if (read === undefined) return;
      this.#count += 1;
      if (this.#count > maxRules) throw new ExcessiveMarkupError();
      const { parts, specificity, key } = read;
      const rules = this.#rules.get(key) ?? [];
      rules.push({ parts, specificity, declared, order: this.#count });
      this.#rules.set(key, rules);
    });
  }
}

function readDeclarations(style: string): Declared[] {
  const tree = parseCss(style, 'declarationList');
  return tree.type === 'DeclarationList' ? toDeclared(tree.children) : [];
}

function toDeclared(nodes: cssTree.List<cssTree.CssNode>): Declared[] {
  return nodes.toArray().flatMap((node): Declared[] => {
    if (node.type !== 'Declaration') return [];
    const property = decodeName(node.property);
    const value = decodeName(cssTree.generate(node.value).trim());
    return [{ property, value, isImportant: node.important !== false }];
  });
}

/** An escape spells a letter: `d\69splay` is `display`. */
function decodeName(text: string): string {
  return (text.includes('\\') ? cssTree.ident.decode(text) : text).toLowerCase();
}

/** @throws ExcessiveMarkupError for brackets nested too deeply for the recursive parser */
function parseCss(text: string, context: string): cssTree.CssNode {
  try {
    return cssTree.parse(text, { context, parseCustomProperty: false });
  } catch (error) {
    if (error instanceof RangeError) throw new ExcessiveMarkupError();
    throw error;
  }
}
