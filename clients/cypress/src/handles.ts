// An inbox and its mail as a spec sees them: plain data without tokens, since Cypress shows all of it in its log.

import type { CreateCaptureOptions, CreateInboxOptions, Message } from 'mayfly-client';

/** Represents an inbox whose token stays in Cypress's Node process. */
export interface InboxHandle {
  readonly id: string;
  readonly email: string;
}

/** Represents an inbox for any recipient. */
export interface MailboxHandle extends InboxHandle {
  /** All addresses at this domain belong to the inbox. */
  readonly domain: string;
}

/** A type after passing through JSON: a date is a string such as `2026-01-31T12:00:00.000Z`. */
export type Plain<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Plain<T[Name]> }
      : T;

/** A message without the URLs that let anyone with them read it. */
export type PlainMessage = Omit<Plain<Message>, 'htmlUrl' | 'rawUrl' | 'attachments'> & {
  readonly attachments: readonly Omit<Plain<Message>['attachments'][number], 'url'>[];
};

export type InboxOptions = CreateInboxOptions;
export type MailboxOptions = CreateCaptureOptions;
