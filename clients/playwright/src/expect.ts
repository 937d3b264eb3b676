// Playwright's `expect` with matchers for mail.

import { existsSync, readFileSync } from 'node:fs';

import { expect as base, type Expect, type ExpectMatcherState, test, type TestInfo } from '@playwright/test';
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
  toHaveReceived(inbox: Inbox, received?: Received): Promise<Matched>;
  /**
   * Passes when a message is that of the snapshot, but for its codes, dates, ids, addresses and links’ tokens. `name` is
   * that of the file.
   */
  toMatchMailSnapshot(mail: Message | MessageSummary, name?: string): Promise<Matched>;
};

/** Longer than the five seconds in which a page changes: mail takes longer. */
const usualTimeout = 10_000;

const matchers: MailMatchers & ThisType<ExpectMatcherState> = {
  toPassReport,
  toHaveReceived(inbox, received) {
    const timeout = Math.max(usualTimeout, this.timeout);
    return toHaveReceived(inbox, received, { isNot: this.isNot, timeout });
  },
  async toMatchMailSnapshot(mail, name) {
    if (this.isNot) throw new TypeError('toMatchMailSnapshot cannot be used with `not`.');
    const text = await toMailSnapshot(mail, name);
    const file = nameFile(test.info(), name);
    try {
      // Playwright's own matcher knows whether to write snapshots, and shows them in its report.
      base(withLineEndsOf(test.info().snapshotPath(file), text)).toMatchSnapshot(file);
    } catch (error) {
      return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) };
    }
    return { pass: true, message: () => 'The message is that of the snapshot.' };
  },
};

export const expect: Expect<MailMatchers> = base.extend<MailMatchers>(matchers);

/** How many snapshots without a name each test has compared. */
const unnamed = new WeakMap<TestInfo, number>();

function nameFile(info: TestInfo, name: string | undefined): string {
  // Without an extension Playwright would compare bytes, and show no difference.
  if (name !== undefined) return /\.\w+$/.test(name) ? name : `${name}.txt`;
  const number = (unnamed.get(info) ?? 0) + 1;
  unnamed.set(info, number);
  return `${info.titlePath
    .slice(1)
    .join('-')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${number}.txt`;
}

/** Git may have checked out the snapshot with CR LF, which Playwright would take for a change of each line. */
function withLineEndsOf(file: string, text: string): string {
  const hasCr = existsSync(file) && readFileSync(file, 'utf8').includes('\r\n');
  return hasCr ? text.replaceAll('\n', '\r\n') : text;
}
