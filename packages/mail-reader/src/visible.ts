// Entry point for the visible text of a message, or of HTML alone. Loads css-tree and parse5.
export { readSeenHtml } from './visible/visible-html.ts';
export { readSeenMessage, type SeenMessage } from './visible/visible-message.ts';
