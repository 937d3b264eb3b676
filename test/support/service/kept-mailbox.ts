// An operator's mailbox in memory, for tests that are not about the Maildir.

import type { OperatorMailbox } from '../../../src/store/operator-mailbox.ts';

export interface KeptMailbox extends OperatorMailbox {
  readonly messages: Buffer[];
}

export function createKeptMailbox(): KeptMailbox {
  const messages: Buffer[] = [];
  return {
    messages,
    isFull: () => Promise.resolve(false),
    deliver: ({ pieces }) => {
      const message = Buffer.concat([...pieces]);
      messages.push(message);
      const withdraw = (): Promise<void> => {
        messages.splice(messages.indexOf(message), 1);
        return Promise.resolve();
      };
      return Promise.resolve({ withdraw });
    },
  };
}
