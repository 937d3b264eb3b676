// What a wait waits for, and why a message is not it.

import type { Message, MessageLink, MessageSummary } from './models.ts';

/** All that are given must hold; texts match anywhere and in any case. */
export interface MessageMatch {
  /** In the sender's address or name. */
  readonly from?: string | undefined;
  /** In one of the recipients' addresses. */
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  /** In the subject or the readable text. */
  readonly contains?: string | undefined;
  /** A one-time code was found in it. */
  readonly hasCode?: boolean | undefined;
}

export interface LinkMatch extends MessageMatch {
  /** What the link seems to be for, such as `verify`, `login` or `reset`. */
  readonly kind?: string | undefined;
  /** The link's host, or the end of it from a dot on: `example.com` matches `www.example.com`. */
  readonly host?: string | undefined;
}

/** Returns the first link that matches. */
export function findLink(message: Message, { kind, host }: LinkMatch): MessageLink | undefined {
  return message.links.find(
    (link) => (kind === undefined || link.kind === kind) && (host === undefined || isHostOf(link.url, host)),
  );
}

function isHostOf(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false;
  const wanted = host.toLowerCase();
  const { hostname } = new URL(url);
  return hostname === wanted || hostname.endsWith(`.${wanted}`);
}

/** Says in a few words what is wanted, such as `message with a code from "shop"`. */
export function describeMatch(match: MessageMatch, what = 'message'): string {
  const { from, to, subject, contains, hasCode } = match;
  const parts = [
    hasCode === true ? 'with a code' : '',
    from === undefined ? '' : `from ${JSON.stringify(from)}`,
    to === undefined ? '' : `to ${JSON.stringify(to)}`,
    subject === undefined ? '' : `with subject ${JSON.stringify(subject)}`,
    contains === undefined ? '' : `containing ${JSON.stringify(contains)}`,
  ];
  return [what, ...parts.filter((part) => part !== '')].join(' ');
}

/** Says why a message that was not answered with is none, as far as a list tells. */
export function whyNot(message: MessageSummary, match: MessageMatch): string {
  const { from, to, subject, hasCode } = match;
  const sender = `${message.senderName} <${message.senderEmail}>`;
  if (from !== undefined && !holds(sender, from)) return `not from ${JSON.stringify(from)}`;
  if (to !== undefined && !message.recipients.some((recipient) => holds(recipient, to))) {
    return `not to ${JSON.stringify(to)}`;
  }
  if (subject !== undefined && !holds(message.subject, subject)) return 'another subject';
  if (hasCode === true && message.code === null) return 'no code in it';
  return 'no match in its text or links';
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
