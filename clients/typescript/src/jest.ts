// Entry point: adds matchers for mail to Jest's `expect`. For `setupFilesAfterEnv`.

import type { Inbox } from './inbox.ts';
import {
  type MailMatchers,
  type Matched,
  type Received,
  toHaveReceived,
  toMailSnapshot,
  toPassReport,
} from './matchers.ts';
import type { Message, MessageSummary } from './models.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- as Jest's types are
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as they declare it
    interface Matchers<R, T = {}> extends MailMatchers<R> {}
  }
}

interface JestExpect {
  (value: unknown): { toMatchSnapshot(hint?: string): void };
  extend(
    matchers: Readonly<Record<string, (this: { isNot: boolean }, ...given: never[]) => Promise<Matched>>>,
  ): void;
}

const { expect } = globalThis as unknown as { readonly expect: JestExpect };

expect.extend({
  toPassReport,
  toHaveReceived(inbox: Inbox, received: Received) {
    return toHaveReceived(inbox, received, this.isNot);
  },
  async toMatchMailSnapshot(mail: Message | MessageSummary, hint?: string) {
    const text = await toMailSnapshot(mail);
    try {
      // Jest's own matcher knows the test, its file and whether to write snapshots.
      expect(text).toMatchSnapshot(...(hint === undefined ? [] : [hint]));
    } catch (error) {
      return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) };
    }
    return { pass: true, message: () => 'The message is that of the snapshot.' };
  },
});
