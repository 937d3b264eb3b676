// Entry point for sanitised HTML. Loads DOMPurify and css-tree; jsdom only when the first message needs it.
export type { RemoteImages } from './sanitise/markup-hooks.ts';
export {
  type HtmlRefusal,
  type ImageSlot,
  type RefusedHtml,
  renderSafeHtml,
  renderSafePage,
  type SafeHtml,
  type ToUrl,
} from './sanitise/safe-html.ts';
export { quietMarkup } from './sanitise/quiet-markup.ts';
export { viewportUnit } from './sanitise/viewport-unit.ts';
export { createHtmlCleaner, type HtmlCleaner, type SanitiseInput } from './sanitise/sanitise-html.ts';
