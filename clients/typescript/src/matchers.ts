// Entry point: matchers for mail, which `mayfly-client/vitest` and `mayfly-client/jest` add to `expect`. For another
// runner, add these to its own.

import type { Inbox } from './inbox.ts';
import { maskMail } from './mask-mail.ts';
import type { Message, MessageSummary } from './models.ts';
import { type Received, matchReceived } from './received-match.ts';
import { type Matched, matchReport, ownerOf, type ReportOptions } from './report-match.ts';

export type { Matched, Received, ReportOptions };
export { maskMail };

/** The matchers as a test calls them. */
export interface MailMatchers<R = void> {
  /** Passes when the report on a message has no finding worse than `max`, `warning` when absent. */
  toPassReport(options?: ReportOptions): Promise<R>;
  /** Passes when an inbox has received such a message, or does within `timeout`. */
  toHaveReceived(received: Received): Promise<R>;
  /** Passes when a message is that of the snapshot, but for its codes, dates, ids, addresses and links’ tokens. */
  toMatchMailSnapshot(hint?: string): Promise<R>;
}

export function toPassReport(mail: Message | MessageSummary, options?: ReportOptions): Promise<Matched> {
  return matchReport(mail, options);
}

export function toHaveReceived(inbox: Inbox, received: Received, isNot = false): Promise<Matched> {
  return matchReceived(inbox, received, isNot);
}

/** Returns a message as the text of its snapshot; reads it where only its entry in a list is given. */
export async function toMailSnapshot(mail: Message | MessageSummary): Promise<string> {
  const whole = 'text' in mail ? mail : await ownerOf(mail, 'toMatchMailSnapshot').read(mail);
  return maskMail(whole);
}
