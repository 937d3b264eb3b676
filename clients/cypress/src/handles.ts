// What a spec holds of an inbox and of its mail: plain data, without tokens, since Cypress shows all of it in its log.

import type { CreateCaptureOptions, CreateInboxOptions, Message } from 'mayfly-client';

/** Stands for an inbox whose token stays in Cypress's Node process. */
export interface InboxHandle {
  readonly id: string;
  readonly email: string;
}

/** Stands for an inbox for any recipient. */
export interface MailboxHandle extends InboxHandle {
  /** All addresses there are its own. */
  readonly domain: string;
}

/** As it comes through JSON: an instant is a text such as `2026-01-31T12:00:00.000Z`. */
export type Plain<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Plain<T[Name]> }
      : T;

/** Without the addresses that let whoever has them read a message. */
export type PlainMessage = Omit<Plain<Message>, 'htmlUrl' | 'rawUrl' | 'attachments'> & {
  readonly attachments: readonly Omit<Plain<Message>['attachments'][number], 'url'>[];
};

export type InboxOptions = CreateInboxOptions;
export type MailboxOptions = CreateCaptureOptions;
