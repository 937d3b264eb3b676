// Entry point: matchers for mail, which `mayfly-client/vitest` and `mayfly-client/jest` add to `expect`. For another
// runner, add these to its own.

import { showValue } from './check-options.ts';
import type { Inbox } from './inbox.ts';
import { maskMail } from './mask-mail.ts';
import type { Message, MessageSummary } from './models.ts';
import { type Received, matchReceived } from './received-match.ts';
import { type Matched, matchReport, ownerOf, type ReportOptions } from './report-match.ts';

/** The circumstances of a call: milliseconds that its tests can wait for a message, and whether `not` came before. */
export interface ReceivedContext {
  readonly isNot?: boolean;
  readonly timeout?: number;
}

export type { Matched, Received, ReportOptions };
export { maskMail };

/** The matchers as a test calls them. */
export interface MailMatchers<R = void> {
  /** Passes when the report on a message has no finding worse than `max`, `warning` when absent. */
  toPassReport(options?: ReportOptions): Promise<R>;
  /** Passes when an inbox has received such a message, or any if none is described, or does within `timeout`. */
  toHaveReceived(received?: Received): Promise<R>;
  /** Passes when a message is that of the snapshot, but for its codes, dates, ids, addresses and links’ tokens. */
  toMatchMailSnapshot(hint?: string): Promise<R>;
}

export function toPassReport(mail: Message | MessageSummary, options?: ReportOptions): Promise<Matched> {
  return matchReport(mail, options);
}

/** After `not` it does not wait, unless `received` has a time-out. `timeout`: else. */
export function toHaveReceived(
  inbox: Inbox,
  received: Received = {},
  { isNot = false, timeout = 10_000 }: ReceivedContext = {},
): Promise<Matched> {
  return matchReceived(inbox, received, isNot ? 0 : timeout);
}

/**
 * Returns a message as the text of its snapshot; reads it where only its entry in a list is given.
 * @param hint what tells the snapshots of a test apart, which the runner is given
 * @throws TypeError for anything that is no message of an inbox, and for a hint that is no text
 */
export async function toMailSnapshot(mail: Message | MessageSummary, hint?: string): Promise<string> {
  if (hint !== undefined && typeof hint !== 'string') {
    throw new TypeError(`toMatchMailSnapshot takes the name of a snapshot, not ${showValue(hint)}.`);
  }
  const whole = 'text' in mail ? mail : await ownerOf(mail, 'toMatchMailSnapshot').read(mail);
  return maskMail(whole);
}
