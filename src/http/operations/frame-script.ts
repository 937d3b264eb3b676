// The only script of a framed message. It is ours, precedes everything of the sender's, and runs because the policy
// contains its hash; nothing else in the document runs. It reports to the surrounding page how high the message is,
// which link is pointed at and which key was pressed, and shrinks a message laid out wider than the frame.
// web/src/state/frame-message.ts reads its reports. Names in a message can shadow properties of the document and of
// forms, so those are read through the prototypes' getters.
import { createHash } from 'node:crypto';

/** The smallest scale; wider messages scroll sideways. */
const leastZoom = 0.4;

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
  const fit = () => {
    width = innerWidth;
    root.style.zoom = '';
    root.className = '';
    if (root.clientWidth > 0 && root.scrollWidth * ${leastZoom} > root.clientWidth) root.className = 'tight';
    const wanted = root.scrollWidth;
    if (wanted > root.clientWidth + 1) root.style.zoom = String(Math.max(${leastZoom}, root.clientWidth / wanted));
    measure();
  };
  new ResizeObserver(measure).observe(root);
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
