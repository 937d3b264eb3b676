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
  /** Whether it depends on something that this reader does not know. */
  readonly isDoubtful: boolean;
}

/** The declarations of an element: for certain, and if every doubtful rule applies too. */
export interface Found {
  readonly certain: Declarations;
  /** Undefined if it is the same. */
  readonly doubtful: Declarations | undefined;
}

const sheetMaxChars = 512 * 1024;
const rulesMax = 10_000;
/** Comparisons of an element with a part of a selector, in one message. */
const stepsMax = 3_000_000;
const depthMax = 8;
/** Distinct values of `style` that are cached. */
const inlineMax = 1_000;
const nothing: Declarations = new Map();

export class StyleRules {
  /** By the condition of the selector's last part: `#id`, `.class`, a name, or `*`. */
  readonly #rules = new Map<string, Rule[]>();
  readonly #inline = new Map<string, readonly Declared[]>();
  #count = 0;
  #chars = 0;
  #steps = stepsMax;

  /** @throws ExcessiveMarkupError */
  addSheet(text: string, media: string): void {
    this.#chars += text.length;
    if (this.#chars > sheetMaxChars) throw new ExcessiveMarkupError();
    const holds = media === '' || matchesMedia(media);
    if (holds === false) return;
    const tree = parseCss(text, 'stylesheet');
    if (tree.type === 'StyleSheet') {
      this.#addRules(tree.children, { depth: 0, isDoubtful: holds === undefined });
    }
  }

  /** Returns the declarations that apply, those of the element itself among them. @throws ExcessiveMarkupError */
  find(element: PlainElement): Found {
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
      .sort((one, other) => one.specificity - other.specificity || one.order - other.order);
    const inline = this.#readInline(element.getAttribute('style') ?? '');
    const certain = found.filter(({ isDoubtful }) => !isDoubtful);
    return {
      certain: cascade(certain, inline),
      doubtful: certain.length === found.length ? undefined : cascade(found, inline),
    };
  }

  /** Mail repeats the same style on many elements. */
  #readInline(style: string): readonly Declared[] {
    if (style === '') return [];
    const known = this.#inline.get(style);
    if (known !== undefined) return known;
    const declared = readDeclarations(style);
    if (this.#inline.size < inlineMax) this.#inline.set(style, declared);
    return declared;
  }

  #addRules(nodes: cssTree.List<cssTree.CssNode>, { depth, isDoubtful }: Nesting): void {
    if (depth > depthMax) throw new ExcessiveMarkupError();
    nodes.forEach((node) => {
      if (node.type === 'Rule') this.#addRule(node, { depth, isDoubtful });
      if (node.type !== 'Atrule' || node.block === null) return;
      const name = node.name.toLowerCase();
      if (describing.has(name)) return;
      const holds = name === 'media' ? matchesMedia(toText(node.prelude)) : name === 'layer' || undefined;
      if (holds === false) return;
      const inner = { depth: depth + 1, isDoubtful: isDoubtful || holds === undefined };
      this.#addRules(node.block.children, inner);
    });
  }

  #addRule({ prelude, block }: cssTree.Rule, { depth, isDoubtful }: Nesting): void {
    if (prelude.type !== 'SelectorList') return;
    const declared = toDeclared(block.children);
    if (declared.length > 0) {
      prelude.children.forEach((selector) => {
        if (selector.type === 'Selector') this.#addSelector(selector, declared, isDoubtful);
      });
    }
    this.#addNested(block.children, subjectsOf(prelude), depth + 1);
  }

  /** Rules within a rule apply where their own last condition holds, with the rest in doubt. */
  #addNested(nodes: cssTree.List<cssTree.CssNode>, around: readonly cssTree.Selector[], depth: number): void {
    if (depth > depthMax) throw new ExcessiveMarkupError();
    for (const node of nodes.toArray()) {
      if (node.type === 'Raw' && node.value.includes('{')) {
        const tree = parseCss(node.value, 'stylesheet');
        if (tree.type === 'StyleSheet') this.#addNested(tree.children, around, depth + 1);
      } else if (node.type === 'Rule') {
        const own = node.prelude.type === 'SelectorList' ? subjectsOf(node.prelude) : [];
        const subjects = own.flatMap((subject) => (subject.children.isEmpty ? around : [subject]));
        this.#addBlock(node.block, subjects, depth);
      } else if (node.type === 'Atrule' && node.block !== null && !describing.has(node.name.toLowerCase())) {
        this.#addBlock(node.block, around, depth);
      }
    }
  }

  #addBlock({ children }: cssTree.Block, subjects: readonly cssTree.Selector[], depth: number): void {
    const declared = toDeclared(children);
    for (const subject of declared.length === 0 ? [] : subjects) this.#addSelector(subject, declared, true);
    this.#addNested(children, subjects, depth + 1);
  }

  #addSelector(selector: cssTree.Selector, declared: readonly Declared[], isDoubtful: boolean): void {
    const read = readSelector(selector);
    if (read === undefined) return;
    const own = read.pseudoElement === undefined ? declared : toOwn(read.pseudoElement, declared);
    if (own.length === 0) return;
    this.#count += 1;
    if (this.#count > rulesMax) throw new ExcessiveMarkupError();
    const { parts, specificity, key } = read;
    const rules = this.#rules.get(key) ?? [];
    rules.push({
      parts,
      specificity,
      declared: own,
      order: this.#count,
      isDoubtful: isDoubtful || read.isDoubtful || read.pseudoElement !== undefined,
    });
    this.#rules.set(key, rules);
  }
}

interface Nesting {
  readonly depth: number;
  readonly isDoubtful: boolean;
}

/** They describe fonts, animations, pages and the like, and apply to no element by themselves. */
const describing = new Set(
  (
    'font-face keyframes -webkit-keyframes -moz-keyframes -o-keyframes page viewport -ms-viewport counter-style ' +
    'property font-feature-values font-palette-values position-try view-transition color-profile'
  ).split(' '),
);

function toText(prelude: cssTree.CssNode | null): string {
  return prelude === null ? 'all' : cssTree.generate(prelude);
}

function cascade(rules: readonly Rule[], inline: readonly Declared[]): Declarations {
  const all = [...rules.flatMap(({ declared }) => declared), ...inline];
  if (all.length === 0) return nothing;
  const inOrder = [...all.filter((each) => !each.isImportant), ...all.filter((each) => each.isImportant)];
  return new Map(inOrder.map(({ property, value }) => [property, value]));
}

/** The condition of each selector for the element itself, without its ancestors and `&`. */
function subjectsOf(prelude: cssTree.SelectorList): cssTree.Selector[] {
  return prelude.children.toArray().flatMap((selector): cssTree.Selector[] => {
    if (selector.type !== 'Selector') return [];
    const nodes = selector.children.toArray();
    const last = nodes.slice(nodes.findLastIndex(({ type }) => type === 'Combinator') + 1);
    const own = last.filter(({ type }) => type !== 'NestingSelector');
    return [{ type: 'Selector', children: new cssTree.List<cssTree.CssNode>().fromArray(own) }];
  });
}

/**
 * The effects of a rule for a pseudo-element on the text of its element: that of its first line is part of it, and a box
 * before or after it may cover it.
 */
function toOwn(pseudoElement: string, declared: readonly Declared[]): readonly Declared[] {
  if (pseudoElement === 'first-line' || pseudoElement === 'first-letter') {
    return declared.filter(({ property }) =>
      /^(?:color|font|font-size|opacity|background.*|line-height|-webkit-text.*)$/.test(property),
    );
  }
  const isDrawn = declared.some(
    ({ property, value }) => property === 'content' && !/^(?:none|normal)$/.test(value),
  );
  const isOut = declared.some(
    ({ property, value }) =>
      (property === 'position' && /^(?:absolute|fixed)$/.test(value)) ||
      (/^(?:margin|inset|top|left|right|bottom|transform|translate)/.test(property) &&
        /-\s*[\d.]|\(/.test(value)),
  );
  const isPainted = declared.some(({ property }) =>
    /^(?:background|box-shadow|border|outline)/.test(property),
  );
  return isDrawn && isOut && isPainted
    ? [{ property: 'visibility', value: 'hidden', isImportant: true }]
    : [];
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
