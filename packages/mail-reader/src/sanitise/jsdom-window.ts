// jsdom's window, for the messages that take the long way through the sanitiser (sanitise-html), which alone loads this:
// it takes half a second and 60 MB. It loads nothing and runs no script.
// @ts-expect-error jsdom has no types of its own, and those written for it would give browser globals to every file.
import { JSDOM } from 'jsdom';

interface DomWindow {
  addEventListener: () => void;
  readonly CSSStyleDeclaration: { readonly prototype: object };
}

export function createJsdomWindow(): object {
  const { window } = new (JSDOM as new (html: string) => { window: DomWindow })('');
  // Each document that jsdom parses leaves listeners at the window, which would hold every message for good.
  window.addEventListener = () => undefined;
  leaveStylesUnread(window);
  return window;
}

/**
 * jsdom parses every `style` attribute into `element.style`, twice a pass, which is half of the time of an ordinary mail.
 * Nobody reads that here: DOMPurify and our hooks take the attribute's text, and css-tree understands it (clean-css).
 */
function leaveStylesUnread({ CSSStyleDeclaration }: DomWindow): void {
  Object.defineProperty(CSSStyleDeclaration.prototype, 'cssText', { get: () => '', set: () => undefined });
}
