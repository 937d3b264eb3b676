// A message as a call of an HTTP interface describes it, checked: every text that becomes part of a header is on one
// line, and every address is one.

import type { Mailbox } from '@mayfly/mail-reader';

export interface SentFile {
  readonly content: Buffer;
  /** '' for none. */
  readonly filename: string;
  readonly contentType: string;
  /** '' unless it is shown within the text. */
  readonly contentId: string;
  readonly disposition: 'attachment' | 'inline';
  /** On one line. */
  readonly description?: string | undefined;
}

export type HeaderField = readonly [name: string, value: string];

/** Another form of the text, such as AMP or a calendar entry. */
export interface Alternative {
  readonly contentType: string;
  readonly text: string;
}

/** Shared by the messages of a call that differ only in their header. */
export interface MessageContent {
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly alternatives: readonly Alternative[];
  readonly files: readonly SentFile[];
}

export interface MessageHeader {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  /** In the order in which they are written; Message-ID and Date replace ours. */
  readonly fields: readonly HeaderField[];
}
