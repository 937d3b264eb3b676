// The only script of a framed message. It is ours, precedes all of the sender's content, and runs because the policy
// contains its hash; nothing else in the document runs. It reports to the surrounding page the height of the message,
// the link under the pointer and the key pressed, shrinks a message laid out wider than the frame, and gives the frame
// the background of the message. web/src/state/frame-message.ts reads its reports. Names in a message can shadow
// properties of the document and of forms, so those are read through the prototypes' getters.
import { createHash } from 'node:crypto';

/** The smallest scale; wider messages scroll sideways. */
const leastZoom = 0.4;
/** The margin that html-document.ts leaves beside a message, dropped if the message then fits unscaled. */
export const edge = 12;

export const frameScript = `(() => {
  const root = document.documentElement;
  const page = parent;
  const origin = location.origin;
  const closest = Element.prototype.closest;
  const tell = (message) => page.postMessage(message, origin);
  let height = 0;
  const measure = () => {
    const own = root.getBoundingClientRect().height;
    const inner = root.scrollHeight > root.clientHeight ? root.scrollHeight : 0;
    const wide = root.scrollWidth > root.clientWidth ? 20 : 0;
    const now = Math.ceil(Math.max(own, inner)) + wide;
    if (Math.abs(now - height) < 1) return;
    height = now;
    tell({ kind: 'height', height });
  };
  let width = -1;
  const isOver = () => root.scrollWidth > root.clientWidth + 1;
  const shrink = () => {
    if (root.clientWidth > 0 && root.scrollWidth * ${leastZoom} > root.clientWidth) root.className = 'tight';
    let zoom = 1;
    let edge = ${edge};
    for (let turn = 0; turn < 3 && zoom > ${leastZoom} && isOver(); turn += 1) {
      zoom = Math.max(${leastZoom}, (zoom * root.clientWidth) / (root.scrollWidth + edge));
      root.style.zoom = String(zoom);
      edge = 0;
    }
  };
  const fit = () => {
    width = innerWidth;
    root.style.zoom = '';
    root.className = '';
    if (isOver()) root.className = 'wide';
    if (isOver()) {
      root.className = '';
      shrink();
    }
    measure();
  };
  const spread = () => {
    const own = [...root.lastElementChild.children].filter((element) => !(element instanceof HTMLStyleElement));
    const colour = own.length === 1 ? getComputedStyle(own[0]).backgroundColor : '';
    if (colour.startsWith('rgb(')) root.style.backgroundColor = colour;
  };
  new ResizeObserver(measure).observe(root);
  addEventListener('DOMContentLoaded', spread);
  addEventListener('DOMContentLoaded', fit);
  addEventListener('load', fit, true);
  addEventListener('resize', () => {
    if (innerWidth !== width) fit();
  });
  const point = ({ target }) => {
    const link = target instanceof Element ? closest.call(target, 'a[href]') : null;
    tell({ kind: 'link', url: link && typeof link.href === 'string' ? link.href.slice(0, 4096) : '' });
  };
  addEventListener('mouseover', point);
  addEventListener('focusin', point);
  root.addEventListener('mouseleave', () => tell({ kind: 'link', url: '' }));
  addEventListener('keydown', (event) => {
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' || event.key.length === 1) tell({ kind: 'key', key: event.key });
  });
})();`;

/** In the form for script-src. */
export const frameScriptSource = `'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`;
