// jsdom's window, for messages that need the thorough path of the sanitiser (sanitise-html), which alone loads this:
// it takes half a second and 60 MB. It loads nothing and runs no script.
// @ts-expect-error jsdom has no types of its own, and those written for it would give browser globals to every file.
import { JSDOM } from 'jsdom';

interface DomWindow {
  addEventListener: () => void;
  readonly CSSStyleDeclaration: { readonly prototype: object };
}

export function createJsdomWindow(): object {
  const { window } = new (JSDOM as new (html: string) => { window: DomWindow })('');
  // Each document jsdom parses leaves listeners on the window, which would keep every message in memory.
  window.addEventListener = () => undefined;
  leaveStylesUnread(window);
  return window;
}

/**
 * jsdom parses every `style` attribute into `element.style` twice a pass, half of the time of an ordinary message.
 * Nothing reads that: DOMPurify and our hooks use the attribute's text, which css-tree parses (clean-css).
 */
function leaveStylesUnread({ CSSStyleDeclaration }: DomWindow): void {
  Object.defineProperty(CSSStyleDeclaration.prototype, 'cssText', { get: () => '', set: () => undefined });
}
