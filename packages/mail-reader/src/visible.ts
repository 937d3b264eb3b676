// Entry point for the visible text of a message. Loads css-tree and parse5.
export { readSeenMessage, type SeenMessage } from './visible/visible-message.ts';
