// Conditions on a message, and the reasons why a message does not meet them.

import type { Message, MessageLink, MessageSummary } from './models.ts';
import type { Parameters } from './transport.ts';

/** All given conditions must hold; texts match anywhere, ignoring case. */
export interface MessageMatch {
  /** Text in the sender's address or name. */
  readonly from?: string | undefined;
  /** Text in one of the recipients' addresses. */
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  /** Text in the subject, the readable text or the name of an attachment. */
  readonly contains?: string | undefined;
  /** A search as a person types it: words, `"phrases"`, `from:ann`, `subject:order`, `has:attachment`, `is:unread`. */
  readonly q?: string | undefined;
  /** Whether a code of kind `otp`, `pin` or `pickup` was found. */
  readonly hasCode?: boolean | undefined;
  /** A code of this kind: `otp`, `pin`, `pickup`, `password`, `backup` or `quoted`. */
  readonly codeKind?: string | undefined;
}

export interface LinkMatch extends MessageMatch {
  /** The link's apparent purpose, such as `verify`, `login` or `reset`. */
  readonly kind?: string | undefined;
  /** The link's host or a parent domain: `example.com` matches `www.example.com`. */
  readonly host?: string | undefined;
}

/** Returns the first link that matches. */
export function findLink(message: Message, { kind, host }: LinkMatch): MessageLink | undefined {
  return message.links.find(
    (link) => (kind === undefined || link.kind === kind) && (host === undefined || isHostOf(link.url, host)),
  );
}

/** Returns the code of a message: the one that lists show, or the first of a kind. */
export function findCode({ code, codes }: Message, kind?: string): string | undefined {
  if (kind !== undefined) return codes.find((one) => one.kind === kind)?.value;
  return code ?? codes.find((one) => one.kind !== 'quoted')?.value;
}

function isHostOf(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false;
  const wanted = host.toLowerCase();
  const { hostname } = new URL(url);
  return hostname === wanted || hostname.endsWith(`.${wanted}`);
}

/** Describes the conditions briefly, such as `message with a code from "shop"`. */
export function describeMatch(match: MessageMatch, what = 'message'): string {
  const { from, to, subject, contains, q, hasCode, codeKind } = match;
  const parts = [
    codeKind === undefined ? '' : `with a code of kind ${codeKind}`,
    codeKind === undefined && hasCode === true ? 'with a code' : '',
    from === undefined ? '' : `from ${JSON.stringify(from)}`,
    to === undefined ? '' : `to ${JSON.stringify(to)}`,
    subject === undefined ? '' : `with subject ${JSON.stringify(subject)}`,
    contains === undefined ? '' : `containing ${JSON.stringify(contains)}`,
    q === undefined ? '' : `found by ${JSON.stringify(q)}`,
  ];
  return [what, ...parts.filter((part) => part !== '')].join(' ');
}

/** Returns the reason why a message did not match, as far as the list shows it. */
export function whyNot(message: MessageSummary, match: MessageMatch): string {
  const { from, to, subject, hasCode } = match;
  const sender = `${message.senderName} <${message.senderEmail}>`;
  if (from !== undefined && !holds(sender, from)) return `not from ${JSON.stringify(from)}`;
  if (to !== undefined && !message.recipients.some((recipient) => holds(recipient, to))) {
    return `not to ${JSON.stringify(to)}, but to ${message.recipients.join(', ')}`;
  }
  if (subject !== undefined && !holds(message.subject, subject)) return 'another subject';
  if (hasCode === true && message.code === null) return 'no code in it';
  return 'no match in its text or links';
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Reports whether the service can filter by this kind of link; others are filtered here. */
export function isFilteredKind(kind: string | undefined): boolean {
  return kind === 'verify' || kind === 'login' || kind === 'reset';
}

export function toParameters({ hasCode, codeKind, ...texts }: MessageMatch): Parameters {
  return { ...texts, has_code: hasCode, code_kind: codeKind };
}
