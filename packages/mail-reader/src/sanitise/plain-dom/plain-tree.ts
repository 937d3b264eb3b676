// The plain DOM as parse5's tree adapter: filled by the parser, read by the serialiser. Made by plain-document, one
// for each.
import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';

import { type PlainAttribute, PlainElement } from './plain-element.ts';
import type { MarkupBudget } from '../markup-budget.ts';
import { type NodeOwner, nodeTypes, PlainComment, PlainNode, PlainText } from './plain-node.ts';

type Some = PlainNode;
export type PlainTreeTypes = TreeAdapterTypeMap<
  // Any node, what holds others, what is held, document, fragment.
  Some,
  Some,
  Some,
  Some,
  Some,
  PlainElement,
  PlainComment,
  PlainText,
  PlainElement,
  // The doctype.
  Some
>;

export class PlainTree implements TreeAdapter<PlainTreeTypes> {
  readonly #document: PlainNode & NodeOwner;
  /** Attribute names of html and body, which later tags of the same name add to. */
  readonly #adopted = new Map<PlainElement, Set<string>>();

  readonly #budget: MarkupBudget;
  #mode: html.DOCUMENT_MODE = html.DOCUMENT_MODE.NO_QUIRKS;

  constructor(document: PlainNode & NodeOwner, budget: MarkupBudget) {
    this.#document = document;
    this.#budget = budget;
  }

  onItemPush(): void {
    this.#budget.enter();
  }

  onItemPop(): void {
    this.#budget.leave();
  }

  createDocument(): PlainNode {
    return this.#document;
  }

  createDocumentFragment(): PlainNode {
    return new PlainNode(this.#document, nodeTypes.fragment, '#document-fragment');
  }

  createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]): PlainElement {
    this.#budget.takeElement(attributes);
    return new PlainElement(this.#document, { name, namespace, attrs: attributes.map(toPlainAttribute) });
  }

  createCommentNode(data: string): PlainComment {
    return new PlainComment(this.#document, data);
  }

  createTextNode(text: string): PlainText {
    return new PlainText(this.#document, text);
  }

  adoptAttributes(recipient: PlainElement, attributes: Token.Attribute[]): void {
    const names = this.#adopted.get(recipient) ?? new Set(recipient.attrs.map(({ name }) => name));
    this.#adopted.set(recipient, names);
    for (const attribute of attributes.map(toPlainAttribute)) {
      if (!names.has(attribute.name)) recipient.attrs.push(attribute);
      names.add(attribute.name);
    }
  }

  appendChild(parent: PlainNode, node: PlainNode): void {
    parent.insertBefore(node, null);
  }

  insertBefore(parent: PlainNode, node: PlainNode, reference: PlainNode): void {
    parent.insertBefore(node, reference);
  }

  detachNode(node: PlainNode): void {
    node.remove();
  }

  insertText(parent: PlainNode, text: string): void {
    if (parent.last instanceof PlainText) parent.last.data += text;
    else parent.insertBefore(this.createTextNode(text), null);
  }

  insertTextBefore(parent: PlainNode, text: string, reference: PlainNode): void {
    if (reference.previous instanceof PlainText) reference.previous.data += text;
    else parent.insertBefore(this.createTextNode(text), reference);
  }

  setTemplateContent(template: PlainElement, content: PlainNode): void {
    template.content = content;
  }

  getTemplateContent(template: PlainElement): PlainNode {
    return template.content ?? template;
  }

  setDocumentType(document: PlainNode, name: string): void {
    document.insertBefore(new PlainNode(this.#document, nodeTypes.doctype, name), null);
  }

  setDocumentMode(_document: PlainNode, mode: html.DOCUMENT_MODE): void {
    this.#mode = mode;
  }

  getDocumentMode(): html.DOCUMENT_MODE {
    return this.#mode;
  }

  getFirstChild(node: PlainNode): PlainNode | null {
    return node.first;
  }

  getChildNodes(node: PlainNode): PlainNode[] {
    return node.childNodes;
  }

  getParentNode(node: PlainNode): PlainNode | null {
    return node.parent;
  }

  getAttrList(element: PlainElement): Token.Attribute[] {
    return element.attrs;
  }

  getTagName(element: PlainElement): string {
    return element.name;
  }

  getNamespaceURI(element: PlainElement): html.NS {
    return element.namespace;
  }

  getTextNodeContent(text: PlainText): string {
    return text.data;
  }

  getCommentNodeContent(comment: PlainComment): string {
    return comment.data;
  }

  getDocumentTypeNodeName(doctype: PlainNode): string {
    return doctype.name;
  }

  getDocumentTypeNodePublicId(): string {
    return '';
  }

  getDocumentTypeNodeSystemId(): string {
    return '';
  }

  isTextNode(node: PlainNode): node is PlainText {
    return node.type === nodeTypes.text;
  }

  isCommentNode(node: PlainNode): node is PlainComment {
    return node.type === nodeTypes.comment;
  }

  isDocumentTypeNode(node: PlainNode): node is PlainNode {
    return node.type === nodeTypes.doctype;
  }

  isElementNode(node: PlainNode): node is PlainElement {
    return node.type === nodeTypes.element;
  }

  // Positions in the source are not used.
  setNodeSourceCodeLocation(): void {}

  getNodeSourceCodeLocation(): null {
    return null;
  }

  updateNodeSourceCodeLocation(): void {}
}

/** A copy, because parse5 gives the same attributes to every element it makes of one tag. */
function toPlainAttribute({ name, value, prefix, namespace }: Token.Attribute): PlainAttribute {
  const hasPrefix = prefix !== undefined && prefix !== '';
  return { name: hasPrefix ? `${prefix}:${name}` : name, value, namespaceURI: namespace ?? null };
}
