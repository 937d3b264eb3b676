// Passes a sender's CSS through a parser (css-tree) and an allow-list, and writes it anew: nothing that was not
// understood is copied. Used by the sanitiser's hooks for `style` attributes and elements. The result can load nothing
// and contains no `<`, so no HTML parser finds an end tag in it.
import * as cssTree from 'css-tree';
import {
  allowedAtRule,
  allowedFunctions,
  allowedPositions,
  allowedProperties,
  allowedPseudoClasses,
  allowedPseudoElements,
  textProperties,
} from './allowed-css.ts';
import { isRemoteReference } from './remote-reference.ts';

export interface CleanCss {
  readonly css: string;
  /** References to remote content that were dropped. */
  readonly remoteContent: number;
}

/** Deeper nested @media are dropped. */
const maxDepth = 4;
/** DOMPurify prefixes every id (SANITIZE_NAMED_PROPS), so selectors must too. */
export const idPrefix = 'user-content-';

/** Cleans the value of a `style` attribute. Never throws. */
export function cleanStyleAttribute(text: string): CleanCss {
  return clean(text, 'declarationList', (tree) => {
    if (tree.type === 'DeclarationList') tree.children = tree.children.filter(isAllowedDeclaration);
  });
}

/** Cleans the content of a `<style>` element. Never throws. */
export function cleanStylesheet(text: string): CleanCss {
  return clean(text, 'stylesheet', (tree) => {
    if (tree.type === 'StyleSheet') tree.children = cleanRules(tree.children, 0);
  });
}

function clean(text: string, context: string, prune: (tree: cssTree.CssNode) => void): CleanCss {
  try {
    const tree = cssTree.parse(text, { context });
    const remoteContent = countRemote(tree);
    prune(tree);
    return { css: cssTree.generate(tree), remoteContent };
  } catch (error) {
    // Brackets nested thousands deep occur in no real style sheet; parser and walkers are recursive.
    if (error instanceof RangeError) return { css: '', remoteContent: countInRaw(text) };
    throw error;
  }
}

function cleanRules(nodes: cssTree.List<cssTree.CssNode>, depth: number): cssTree.List<cssTree.CssNode> {
  return nodes.filter((node) => {
    if (node.type === 'Rule') return cleanRule(node);
    return node.type === 'Atrule' && cleanAtRule(node, depth);
  });
}

/** Reports whether anything of the rule is left. */
function cleanRule(rule: cssTree.Rule): boolean {
  const { prelude, block } = rule;
  if (prelude.type !== 'SelectorList') return false;
  prelude.children = prelude.children.filter(isAllowedSelector);
  block.children = block.children.filter(isAllowedDeclaration);
  if (prelude.children.isEmpty || block.children.isEmpty) return false;
  prefixIds(prelude);
  return !cssTree.generate(prelude).includes('<');
}

function cleanAtRule(rule: cssTree.Atrule, depth: number): boolean {
  const { prelude, block } = rule;
  if (rule.name.toLowerCase() !== allowedAtRule || depth >= maxDepth) return false;
  if (prelude?.type !== 'AtrulePrelude' || block === null) return false;
  const isUnderstood = cssTree.find(prelude, ({ type }) => type === 'Raw' || type === 'Function') === null;
  if (!isUnderstood || /[<\\]/.test(cssTree.generate(prelude))) return false;
  block.children = cleanRules(block.children, depth + 1);
  return !block.children.isEmpty;
}

function isAllowedSelector(selector: cssTree.CssNode): boolean {
  return cssTree.find(selector, isForbiddenInSelector) === null;
}

function isForbiddenInSelector(node: cssTree.CssNode): boolean {
  switch (node.type) {
    case 'PseudoClassSelector':
      return !allowedPseudoClasses.has(node.name.toLowerCase());
    case 'PseudoElementSelector':
      return !allowedPseudoElements.has(node.name.toLowerCase());
    case 'Raw':
    case 'NestingSelector':
      return true;
    default:
      return false;
  }
}

function prefixIds(prelude: cssTree.SelectorList): void {
  cssTree.walk(prelude, {
    visit: 'IdSelector',
    enter: (node) => {
      if (!node.name.startsWith(idPrefix)) node.name = idPrefix + node.name;
    },
  });
}

function isAllowedDeclaration(node: cssTree.CssNode): boolean {
  if (node.type !== 'Declaration' || node.value.type !== 'Value') return false;
  const property = node.property.toLowerCase();
  if (!allowedProperties.has(property) || typeof node.important === 'string') return false;
  const text = cssTree.generate(node.value);
  if (text.includes('<')) return false;
  if (property === 'position' && !allowedPositions.has(text.toLowerCase())) return false;
  const allowsText = textProperties.has(property);
  return cssTree.find(node.value, (part) => !isAllowedInValue(part, allowsText)) === null;
}

/** Refuses any escape in a name (`u\72l`): browsers decide what it spells. */
function isAllowedInValue(node: cssTree.CssNode, allowsText: boolean): boolean {
  switch (node.type) {
    case 'Function':
      return allowedFunctions.has(node.name.toLowerCase());
    case 'String':
      return allowsText;
    case 'Identifier':
      return !node.name.includes('\\');
    case 'Dimension':
      return !node.unit.includes('\\');
    case 'Hash':
      return !node.value.includes('\\');
    case 'Value':
    case 'Number':
    case 'Percentage':
    case 'Operator':
    case 'Parentheses':
    case 'Brackets':
    case 'WhiteSpace':
      return true;
    default:
      return false;
  }
}

/** Counts dropped rules too: the number states how much the sender would have loaded. */
function countRemote(tree: cssTree.CssNode): number {
  let found = 0;
  cssTree.walk(tree, function (node) {
    // A string loads where it replaces a url().
    const isAddress =
      node.type === 'Url' ||
      (node.type === 'String' && (this.atrule?.name === 'import' || isImageSet(this.function)));
    if (isAddress && isRemoteReference(node.value)) found += 1;
    else if (node.type === 'Raw') found += countInRaw(node.value);
  });
  return found;
}

function isImageSet(node: { readonly name: string } | null): boolean {
  return node !== null && /image-set$/i.test(node.name);
}

/** Counts in what the parser left unparsed: custom properties and broken rules. */
function countInRaw(text: string): number {
  return text.match(/(?:https?:)?\/\/[\w-]/gi)?.length ?? 0;
}
