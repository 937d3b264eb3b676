// The matchers for mail as Jest takes them.

import type { Inbox } from './inbox.ts';
import { type Matched, type Received, toHaveReceived, toMailSnapshot, toPassReport } from './matchers.ts';
import type { Message, MessageSummary } from './models.ts';

export interface JestExpect {
  (value: unknown): { toMatchSnapshot(hint?: string): void };
  extend(
    matchers: Readonly<Record<string, (this: { isNot: boolean }, ...given: never[]) => Promise<Matched>>>,
  ): void;
}

/** Before the five seconds in which Jest ends a test, so that the failure can say what came. */
const timeout = 4000;

export function addMatchers(expect: JestExpect): void {
  expect.extend({
    toPassReport,
    toHaveReceived(inbox: Inbox, received?: Received) {
      return toHaveReceived(inbox, received, { isNot: this.isNot, timeout });
    },
    async toMatchMailSnapshot(mail: Message | MessageSummary, hint?: string) {
      if (this.isNot) throw new TypeError('toMatchMailSnapshot cannot be used with `not`.');
      const text = await toMailSnapshot(mail, hint);
      try {
        // Jest's own matcher knows the test, its file and whether to write snapshots.
        expect(text).toMatchSnapshot(...(hint === undefined ? [] : [hint]));
      } catch (error) {
        return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) };
      }
      return { pass: true, message: () => 'The message is that of the snapshot.' };
    },
  });
}
