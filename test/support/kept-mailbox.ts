// An operator's mailbox in memory, for tests that are not about the Maildir.

import type { OperatorMailbox } from '../../src/store/operator-mailbox.ts';

export interface KeptMailbox extends OperatorMailbox {
  readonly messages: Buffer[];
}

export function createKeptMailbox(): KeptMailbox {
  const messages: Buffer[] = [];
  return {
    messages,
    deliver: ({ pieces }) => {
      messages.push(Buffer.concat([...pieces]));
      return Promise.resolve('stored');
    },
  };
}
