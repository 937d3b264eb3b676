// The commands, which run in the browser: import this in the support file. Each runs a task in Node, and names the
// inbox in Cypress's log.

import type { Delivery, LinkMatch, MessageLink, MessageMatch, MessageSummary } from 'mayfly-client';

import type {
  InboxHandle,
  InboxOptions,
  MailboxHandle,
  MailboxOptions,
  Plain,
  PlainMessage,
} from './handles.ts';

export type {
  InboxHandle,
  InboxOptions,
  MailboxHandle,
  MailboxOptions,
  Plain,
  PlainMessage,
} from './handles.ts';

export interface WaitTime {
  /** Milliseconds; 30,000 by default. */
  readonly timeout?: number;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Cypress declares its types in one.
  namespace Cypress {
    interface Chainable {
      /** Creates an inbox, which ends with the spec. */
      mayflyInbox(options?: InboxOptions): Chainable<InboxHandle>;
      /** Creates an inbox for any address at its domain, which ends with the spec. */
      mayflyMailbox(options?: MailboxOptions): Chainable<MailboxHandle>;
      /** Waits for the code of the oldest message with one that no earlier call used. */
      mayflyCode(inbox: InboxHandle, options?: MessageMatch & WaitTime): Chainable<string>;
      /** Waits for a link, such as of the kind `verify`, `login` or `reset`. */
      mayflyLink(inbox: InboxHandle, options?: LinkMatch & WaitTime): Chainable<MessageLink>;
      /** Waits for the oldest message that matches and that no earlier call yielded. */
      mayflyMessage(inbox: InboxHandle, options?: MessageMatch & WaitTime): Chainable<PlainMessage>;
      /** Yields the current messages, newest first. */
      mayflyMessages(inbox: InboxHandle, options?: MessageMatch): Chainable<readonly Plain<MessageSummary>[]>;
      /** Yields the attempts to deliver mail, newest first, including refused mail. */
      mayflyDeliveryLog(inbox: InboxHandle): Chainable<readonly Plain<Delivery>[]>;
    }
  }
}

const defaultTimeout = 30_000;
/** Milliseconds after a wait, in which the task finds out why nothing came. Other calls have the same time. */
const margin = 20_000;

/** Cypress's own type ties each command's name to its function. */
const commands = Cypress.Commands as {
  add(name: string, command: (...given: never[]) => unknown): void;
};

function addCreating(name: string, task: string): void {
  commands.add(name, (options: object = {}) => {
    const log = Cypress.log({ name, message: '' });
    return cy.task<InboxHandle>(task, options, { log: false, timeout: margin }).then((inbox) => {
      log.set({ message: inbox.email });
      return inbox;
    });
  });
}

function addAsking(name: string, task: string, isWait: boolean): void {
  commands.add(name, (inbox: InboxHandle, options: WaitTime = {}) => {
    Cypress.log({ name, message: inbox.email });
    const timeout = (isWait ? (options.timeout ?? defaultTimeout) : 0) + margin;
    return cy.task(task, { inbox, options }, { log: false, timeout });
  });
}

addCreating('mayflyInbox', 'mayfly:inbox');
addCreating('mayflyMailbox', 'mayfly:mailbox');
addAsking('mayflyCode', 'mayfly:code', true);
addAsking('mayflyLink', 'mayfly:link', true);
addAsking('mayflyMessage', 'mayfly:message', true);
addAsking('mayflyMessages', 'mayfly:messages', false);
addAsking('mayflyDeliveryLog', 'mayfly:delivery-log', false);

after(() => cy.task('mayfly:end-all', null, { log: false, timeout: margin }));
