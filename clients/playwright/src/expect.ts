// Playwright's `expect` with matchers for mail.

import { expect as base, type Expect } from '@playwright/test';
import type { Inbox, Message, MessageSummary } from 'mayfly-client';
import {
  type Matched,
  type Received,
  type ReportOptions,
  toHaveReceived,
  toMailSnapshot,
  toPassReport,
} from 'mayfly-client/matchers';

/** An interface would not do: Playwright wants the index of a type. */
type MailMatchers = {
  /** Passes when the report on a message has no finding worse than `max`, `warning` when absent. */
  toPassReport(mail: Message | MessageSummary, options?: ReportOptions): Promise<Matched>;
  /** Passes when an inbox has received such a message, or does within `timeout`. */
  toHaveReceived(inbox: Inbox, received: Received): Promise<Matched>;
  /**
   * Passes when a message is that of the snapshot, but for its codes, dates, ids, addresses and links’ tokens. `name` is
   * that of the file.
   */
  toMatchMailSnapshot(mail: Message | MessageSummary, name?: string): Promise<Matched>;
};

const matchers: MailMatchers & ThisType<{ readonly isNot: boolean }> = {
  toPassReport,
  toHaveReceived(inbox, received) {
    return toHaveReceived(inbox, received, this.isNot);
  },
  async toMatchMailSnapshot(mail, name) {
    const text = await toMailSnapshot(mail);
    try {
      // Playwright's own matcher knows the test, its file and whether to write snapshots.
      const expected = base(text);
      if (name === undefined) expected.toMatchSnapshot();
      else expected.toMatchSnapshot(name);
    } catch (error) {
      return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) };
    }
    return { pass: true, message: () => 'The message is that of the snapshot.' };
  },
};

export const expect: Expect<MailMatchers> = base.extend<MailMatchers>(matchers);
