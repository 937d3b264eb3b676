// Entry point: adds matchers for mail to Vitest's `expect`. For `setupFiles`, or to be imported by a test.

import * as vitest from 'vitest';

import type { Inbox } from './inbox.ts';
import {
  type MailMatchers,
  type Received,
  toHaveReceived,
  toMailSnapshot,
  toPassReport,
} from './matchers.ts';
import type { Message, MessageSummary } from './models.ts';

declare global {
  // Vitest 4 and 5 have this in common: their own interface for matchers differs in its parameters.
  // eslint-disable-next-line @typescript-eslint/no-namespace -- as Chai's types are
  namespace Chai {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- as declarations are merged
    interface Assertion extends MailMatchers {}
  }
}

/** Before the five seconds in which Vitest ends a test, so that the failure can say what came. */
const timeout = 4000;

vitest.expect.extend({
  toPassReport,
  toHaveReceived(inbox: Inbox, received?: Received) {
    return toHaveReceived(inbox, received, { isNot: this.isNot, timeout });
  },
  async toMatchMailSnapshot(mail: Message | MessageSummary, hint?: string) {
    return vitest.Snapshots.toMatchSnapshot.call(this, await toMailSnapshot(mail, hint), hint);
  },
});
