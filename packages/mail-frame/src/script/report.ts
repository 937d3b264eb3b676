// The means of the other pieces, and the reports to the page: the height, keys, and the link under the pointer.

export const report = `
const root = document.documentElement;
const page = parent;
const origin = location.origin;
const { append, closest, getAttribute, getBoundingClientRect, matches, removeAttribute, setAttribute } = Element.prototype;
const { querySelectorAll: findIn } = Element.prototype;
const { compareDocumentPosition: comparePlaces, insertBefore: putBefore } = Node.prototype;
const { createElement, createTreeWalker, getElementById, querySelector, querySelectorAll } = Document.prototype;
const getterOf = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
const scroller = getterOf(Document, 'scrollingElement');
const bodyOf = getterOf(Document, 'body');
const parentOf = getterOf(Node, 'parentNode');
const nextOf = getterOf(Node, 'nextSibling');
const previousOf = getterOf(Node, 'previousSibling');
const wordsOf = getterOf(Node, 'textContent');
const styleOf = getterOf(HTMLElement, 'style');
const tell = (message) => page.postMessage(message, origin);
let zoom = 1;
const toPage = (pixels) => ('currentCSSZoom' in root ? pixels : pixels * zoom);
let height = 0;
let inner = innerHeight;
let isChasing = false;
const measure = () => {
  if (innerWidth === 0) return;
  const area = scroller.call(document) || root;
  const over = area.scrollHeight > innerHeight ? area.scrollHeight : 0;
  const wide = isOver() ? 20 : 0;
  const now = Math.ceil(Math.max(toPage(root.getBoundingClientRect().height), over)) + wide;
  isChasing ||= height > 0 && innerHeight > inner && now - height >= innerHeight - inner && now > innerHeight;
  inner = innerHeight;
  if (isChasing || Math.abs(now - height) < 1) return;
  height = now;
  tell({ kind: 'height', height });
};
new ResizeObserver(measure).observe(root);
addEventListener('keydown', (event) => {
  if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'Escape' || event.key.length === 1) tell({ kind: 'key', key: event.key });
});`;
