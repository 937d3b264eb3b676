// The elements of a message's HTML in the order of the source, with their places in it, as flat objects that rules and
// selectors can walk without recursion. The HTML is untrusted: what a parser would expand without end is refused.
import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** Mail in use has far less. */
const elementsMax = 40_000;
const depthMax = 1_000;
/** By the rules of HTML, formatting elements are recreated with all their attributes. */
const attributeMaxChars = 4_000_000;

/** The markup is larger or deeper than any mail program would show. */
export class ExcessiveHtmlError extends Error {
  override readonly name = 'ExcessiveHtmlError';
}

export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: HtmlElement | undefined;
  /** Elements alone. */
  readonly children: HtmlElement[];
  /** Its place among the elements of its parent. */
  readonly index: number;
  /** Its place among all elements; its descendants follow it. */
  readonly order: number;
  /** That of its own text nodes. */
  text: string;
  /** Where its tag begins in the source; undefined for elements that the source implies. */
  readonly offset: number | undefined;
  /** Where it ends, with its closing tag. */
  readonly endOffset: number | undefined;
  readonly attributeOffsets: Readonly<Record<string, { readonly startOffset: number }>> | undefined;
}

export interface HtmlDocument {
  readonly html: string;
  /** In the order of the source. */
  readonly elements: readonly HtmlElement[];
}

/** @throws ExcessiveHtmlError */
export function readHtmlDocument(html: string): HtmlDocument {
  let left = elementsMax;
  let attributeChars = attributeMaxChars;
  let depth = 0;
  const tree = parse(html, {
    sourceCodeLocationInfo: true,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(name, namespace, attributes) {
        left -= 1;
        for (const one of attributes) attributeChars -= one.name.length + one.value.length;
        if (left < 0 || attributeChars < 0) throw new ExcessiveHtmlError();
        return defaultTreeAdapter.createElement(name, namespace, attributes);
      },
      // Each tag is compared with every open element, so that depth costs the parser time.
      onItemPush: () => {
        depth += 1;
        if (depth > depthMax) throw new ExcessiveHtmlError();
      },
      onItemPop: () => {
        depth -= 1;
      },
    },
  });
  return { html, elements: flatten(tree) };
}

function flatten(tree: Node): HtmlElement[] {
  const elements: HtmlElement[] = [];
  const roots: HtmlElement[] = [];
  const stack: { readonly node: Node; readonly parent: HtmlElement | undefined }[] = [
    { node: tree, parent: undefined },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent } = next;
    let inner = parent;
    if (defaultTreeAdapter.isTextNode(node)) {
      if (parent !== undefined) parent.text += node.value;
      continue;
    }
    if (defaultTreeAdapter.isElementNode(node)) {
      const siblings = parent?.children ?? roots;
      inner = toElement(node, { parent, index: siblings.length, order: elements.length });
      siblings.push(inner);
      elements.push(inner);
    }
    for (const child of childrenOf(node).toReversed()) stack.push({ node: child, parent: inner });
  }
  return elements;
}

function childrenOf(node: Node): readonly Node[] {
  if (!('childNodes' in node)) return [];
  // Text and pictures of a template are the sender's like all others.
  return 'content' in node ? node.content.childNodes : node.childNodes;
}

function toElement(
  node: DefaultTreeAdapterTypes.Element,
  place: Pick<HtmlElement, 'parent' | 'index' | 'order'>,
): HtmlElement {
  const location = node.sourceCodeLocation;
  return {
    name: node.tagName,
    attributes: new Map(node.attrs.map(({ name, value }) => [name, value])),
    children: [],
    text: '',
    offset: location?.startOffset,
    endOffset: location?.endOffset,
    attributeOffsets: location?.attrs,
    ...place,
  };
}

/** Returns the position after the last descendant of an element, in `order`. */
export function endOfElement(element: HtmlElement): number {
  let last = element;
  for (let child = last.children.at(-1); child !== undefined; child = last.children.at(-1)) last = child;
  return last.order + 1;
}
