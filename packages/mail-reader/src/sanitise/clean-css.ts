// Passes a sender's CSS through a parser (css-tree) and an allow-list, and writes it anew: nothing that was not
// understood is copied. Used by the sanitiser's hooks for `style` attributes and elements. The result loads nothing but
// the pictures that its caller chooses, and contains no `<` before a letter, `/`, `!` or `?`, so no HTML parser finds a
// tag in it.
import * as cssTree from 'css-tree';
import {
  allowedAtRules,
  allowedFunctions,
  allowedPseudoClasses,
  allowedPseudoElements,
} from './allowed-css.ts';
import { cleanDeclaration } from './clean-declaration.ts';
import type { ChoosePicture } from './image-source.ts';
import { isRemoteReference } from './remote-reference.ts';

export interface CleanCss {
  readonly css: string;
  /** References to remote content that were dropped. */
  readonly remoteContent: number;
  /** Those that are pictures, which can be loaded on request. */
  readonly remoteImages: number;
}

/** Rules nested deeper are dropped. */
const depthMax = 4;
/** DOMPurify prefixes every id and name (SANITIZE_NAMED_PROPS), so selectors must too. */
export const idPrefix = 'user-content-';

/** Cleans the value of a `style` attribute. Never throws. */
export function cleanStyleAttribute(text: string, choosePicture: ChoosePicture): CleanCss {
  return clean(text, 'declarationList', choosePicture);
}

/** Cleans the content of a `<style>` element. Never throws. */
export function cleanStylesheet(text: string, choosePicture: ChoosePicture): CleanCss {
  return clean(text, 'stylesheet', choosePicture);
}

function clean(
  text: string,
  context: 'declarationList' | 'stylesheet',
  choosePicture: ChoosePicture,
): CleanCss {
  let [kept, left] = [0, 0];
  const choose: ChoosePicture = (url) => {
    const chosen = choosePicture(url);
    if (isRemoteReference(url)) {
      if (chosen === undefined) left += 1;
      else kept += 1;
    }
    return chosen;
  };
  try {
    const tree = cssTree.parse(text, { context, parseCustomProperty: true });
    const found = countRemote(tree);
    if (tree.type === 'StyleSheet') tree.children = cleanRules(tree.children, { depth: 0, choose });
    else if (tree.type === 'DeclarationList') {
      tree.children = tree.children.filter((node) => cleanDeclaration(node, choose));
    }
    // Only a comparison in a condition writes the sign; with a space after it no parser of HTML takes it for a tag.
    const css = cssTree.generate(tree).replace(/<(?!=)/g, '< ');
    return { css, remoteContent: found - kept, remoteImages: left };
  } catch (error) {
    // Brackets nested thousands deep occur in no real style sheet; parser and walkers are recursive.
    if (error instanceof RangeError) return { css: '', remoteContent: countInRaw(text), remoteImages: 0 };
    throw error;
  }
}

interface Cleaning {
  readonly depth: number;
  readonly choose: ChoosePicture;
}

type Nodes = cssTree.List<cssTree.CssNode>;

function cleanRules(nodes: Nodes, cleaning: Cleaning): Nodes {
  return nodes.filter((node) => {
    if (node.type === 'Rule') return cleanRule(node, cleaning);
    return node.type === 'Atrule' && cleanAtRule(node, cleaning);
  });
}

/** Cleans what is between the braces of a rule, which may hold rules itself. */
function cleanBlock(nodes: Nodes, cleaning: Cleaning): Nodes {
  const inner = { ...cleaning, depth: cleaning.depth + 1 };
  return nodes.filter((node) => {
    if (node.type === 'Declaration') return cleanDeclaration(node, cleaning.choose);
    return cleanRules(new cssTree.List<cssTree.CssNode>().fromArray([node]), inner).size > 0;
  });
}

/** Reports whether anything of the rule is left. */
function cleanRule({ prelude, block }: cssTree.Rule, cleaning: Cleaning): boolean {
  if (prelude.type !== 'SelectorList' || cleaning.depth >= depthMax) return false;
  prelude.children = prelude.children.filter(isAllowedSelector);
  block.children = cleanBlock(block.children, cleaning);
  if (prelude.children.isEmpty || block.children.isEmpty) return false;
  prefixIds(prelude);
  return !cssTree.generate(prelude).includes('<');
}

/** Reports whether anything of the rule is left. */
function cleanAtRule(rule: cssTree.Atrule, cleaning: Cleaning): boolean {
  const { prelude, block } = rule;
  const name = rule.name.toLowerCase();
  if (!allowedAtRules.has(name) || cleaning.depth >= depthMax) return false;
  if (prelude === null ? name !== 'layer' || block === null : !isAllowedPrelude(prelude)) return false;
  // The order of layers.
  if (block === null) return name === 'layer';
  block.children = cleanBlock(block.children, cleaning);
  return !block.children.isEmpty;
}

function isAllowedPrelude(prelude: cssTree.AtrulePrelude | cssTree.Raw): boolean {
  if (prelude.type === 'Raw' || cssTree.generate(prelude).includes('\\')) return false;
  return cssTree.find(prelude, isForbiddenInPrelude) === null;
}

function isForbiddenInPrelude(node: cssTree.CssNode): boolean {
  switch (node.type) {
    case 'Raw':
    case 'Url':
    case 'String':
    case 'GeneralEnclosed':
      return true;
    case 'Function':
      return !allowedFunctions.has(node.name.toLowerCase());
    default:
      return false;
  }
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
      return true;
    default:
      return false;
  }
}

function prefixIds(prelude: cssTree.SelectorList): void {
  cssTree.walk(prelude, (node) => {
    if (node.type === 'IdSelector') node.name = withPrefix(node.name);
    else if (node.type === 'AttributeSelector') prefixAttribute(node);
  });
}

/** `[id=x]` and what begins like it; for the end or a part of an id nothing changes. */
function prefixAttribute({ name, matcher, value }: cssTree.AttributeSelector): void {
  if (!/^(?:id|name)$/i.test(name.name) || value === null) return;
  if (matcher === null || !['=', '~=', '|=', '^='].includes(matcher)) return;
  if (value.type === 'String') value.value = withPrefix(value.value);
  else value.name = withPrefix(value.name);
}

function withPrefix(name: string): string {
  return name.startsWith(idPrefix) ? name : idPrefix + name;
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
