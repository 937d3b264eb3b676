// The half that runs in the browser: import it in the support file. Each command asks Node, and shows in Cypress's log
// whose mail it is about.

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
  /** Ms; 30,000 when absent. */
  readonly timeout?: number;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Cypress declares its types in one.
  namespace Cypress {
    interface Chainable {
      /** Makes an inbox, which ends with the spec. */
      mayflyInbox(options?: InboxOptions): Chainable<InboxHandle>;
      /** Makes an inbox for any address at its domain, which ends with the spec. */
      mayflyMailbox(options?: MailboxOptions): Chainable<MailboxHandle>;
      /** Waits for the code of the oldest message with one that no earlier call used. */
      mayflyCode(inbox: InboxHandle, options?: MessageMatch & WaitTime): Chainable<string>;
      /** Waits for a link, such as of the kind `verify`, `login` or `reset`. */
      mayflyLink(inbox: InboxHandle, options?: LinkMatch & WaitTime): Chainable<MessageLink>;
      /** Waits for the oldest message that matches and that no earlier call yielded. */
      mayflyMessage(inbox: InboxHandle, options?: MessageMatch & WaitTime): Chainable<PlainMessage>;
      /** Yields the messages that are there, newest first. */
      mayflyMessages(inbox: InboxHandle, options?: MessageMatch): Chainable<readonly Plain<MessageSummary>[]>;
      /** Yields what senders tried, newest first, refused mail included. */
      mayflyDeliveryLog(inbox: InboxHandle): Chainable<readonly Plain<Delivery>[]>;
    }
  }
}

const defaultTimeout = 30_000;
/** Ms beyond a wait, in which the task says why nothing came. Other calls have as long. */
const margin = 20_000;

/** Cypress's own type wants each command's name and function as one. */
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
