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

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as Vitest declares it
  interface Matchers<T = any> extends MailMatchers {}
}

vitest.expect.extend({
  toPassReport,
  toHaveReceived(inbox: Inbox, received: Received) {
    return toHaveReceived(inbox, received, this.isNot);
  },
  async toMatchMailSnapshot(mail: Message | MessageSummary, hint?: string) {
    return vitest.Snapshots.toMatchSnapshot.call(this, await toMailSnapshot(mail), hint);
  },
});
