// The inbox that a message came from, for matchers, which are given the message alone.

import type { Inbox } from './inbox.ts';

const inboxes = new WeakMap<object, Inbox>();

export function rememberInbox(message: object, inbox: Inbox): void {
  inboxes.set(message, inbox);
}

/** Returns undefined for anything that no inbox has returned. */
export function inboxOf(message: object): Inbox | undefined {
  return inboxes.get(message);
}
