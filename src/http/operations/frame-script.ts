// The only script of a framed message. It is ours, precedes all of the sender's content, and runs because the policy
// contains its hash; nothing else in the document runs. It reports to the surrounding page the height of the message,
// the link under the pointer, the place that a link within the message leads to and the key pressed, and shrinks a
// message laid out wider than the frame. web/src/state/mail/frame-message.ts reads its reports. Names in a message can
// shadow properties of the document and of forms, so those are read through the prototypes' getters.
import { createHash } from 'node:crypto';
import { viewportUnit } from '@mayfly/mail-reader/html';

/** The smallest scale; wider messages scroll sideways. */
const leastZoom = 0.4;
/** The margin that browsers leave beside a message, dropped if the message then fits unscaled. */
const edge = 8;

/**
 * A frame as high as its message has no height of its own to fill: what would be as high as the frame is as high as its
 * content, or as a window of usual height.
 */
export const frameStyle =
  `:root{${viewportUnit}:7px}html:root,html:root>body{height:fit-content!important;min-height:0!important}` +
  '[data-fit=tight] body{overflow-wrap:anywhere}[data-fit=wide] body{margin-inline:2px;overflow-wrap:break-word}';

export const frameScript = `(() => {
  const root = document.documentElement;
  const page = parent;
  const origin = location.origin;
  const { closest, getAttribute } = Element.prototype;
  const { getElementById, querySelector } = Document.prototype;
  const scroller = Object.getOwnPropertyDescriptor(Document.prototype, 'scrollingElement').get;
  const tell = (message) => page.postMessage(message, origin);
  let zoom = 1;
  const toPage = (pixels) => ('currentCSSZoom' in root ? pixels : pixels * zoom);
  let height = 0;
  let inner = innerHeight;
  let isChasing = false;
  const measure = () => {
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
  let width = -1;
  const isOver = () => {
    const area = scroller.call(document) || root;
    return area.scrollWidth > area.clientWidth + 1;
  };
  const shrink = () => {
    const area = scroller.call(document) || root;
    if (area.clientWidth > 0 && area.scrollWidth * ${leastZoom} > area.clientWidth) root.dataset.fit = 'tight';
    let spare = ${edge};
    for (let turn = 0; turn < 3 && zoom > ${leastZoom} && isOver(); turn += 1) {
      zoom = Math.max(${leastZoom}, (zoom * area.clientWidth) / (area.scrollWidth + spare));
      root.style.zoom = String(zoom);
      spare = 0;
    }
  };
  const fit = () => {
    width = innerWidth;
    isChasing = false;
    zoom = 1;
    root.style.zoom = '';
    delete root.dataset.fit;
    if (isOver()) root.dataset.fit = 'wide';
    if (isOver()) {
      delete root.dataset.fit;
      shrink();
    }
    measure();
  };
  new ResizeObserver(measure).observe(root);
  addEventListener('DOMContentLoaded', fit);
  addEventListener('load', fit, true);
  addEventListener('resize', () => {
    if (innerWidth === width) measure();
    else fit();
  });
  const linkAt = (target) => (target instanceof Element ? closest.call(target, 'a[href]') : null);
  const point = ({ target }) => {
    const link = linkAt(target);
    tell({ kind: 'link', url: link && typeof link.href === 'string' ? link.href.slice(0, 4096) : '' });
  };
  addEventListener('mouseover', point);
  addEventListener('focusin', point);
  root.addEventListener('mouseleave', () => tell({ kind: 'link', url: '' }));
  addEventListener('click', (event) => {
    const link = linkAt(event.target);
    const href = link && getAttribute.call(link, 'href');
    if (!event.isTrusted || !href || href[0] !== '#' || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const name = href.slice(1);
    const named = 'a[name="' + CSS.escape(name) + '"]';
    const target = name && (getElementById.call(document, name) || querySelector.call(document, named));
    if (target) tell({ kind: 'jump', top: toPage(target.getBoundingClientRect().top) });
    else if (name === '' || name === 'user-content-top') tell({ kind: 'jump', top: 0 });
  });
  addEventListener('keydown', (event) => {
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' || event.key.length === 1) tell({ kind: 'key', key: event.key });
  });
})();`;

/** In the form for script-src. */
export const frameScriptSource = `'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`;
