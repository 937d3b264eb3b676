// The parts of the operations' answers that this app reads, of the types that models.ts has from the interface's
// document. The texts come from strangers and are only ever shown as text.

import type * as models from './models.ts';

export type Expiry = Pick<models.CheckMail, 'expires_at' | 'expires_in'>;

export type CreatedSession = Expiry & Pick<models.CreateSession, 'email' | 'token'>;

export type DomainList = Pick<models.ListDomains, 'domains' | 'gmail_accounts'>;

type SummaryField =
  | 'id'
  | 'sender_name'
  | 'sender_email'
  | 'subject'
  | 'received_at'
  | 'size'
  | 'has_attachments'
  | 'is_read'
  | 'preview'
  | 'code';

/** The last ones are absent from an older service, while it is replaced. */
export type MessageSummary = Pick<models.MessageSummary, SummaryField> &
  Partial<Pick<models.MessageSummary, 'recipients' | 'tags' | 'in_spam'>>;

export interface MessageList extends Expiry, Pick<models.CheckMail, 'email'> {
  /** Newest first. */
  readonly messages: readonly MessageSummary[];
}

export type Delivery = models.Delivery;

export interface SessionDetails
  extends
    Expiry,
    Pick<models.ShowSession, 'email' | 'extendable_until' | 'deliveries' | 'standing' | 'workers'> {
  /** The server that takes the mail of a capture session. */
  readonly smtp?: Pick<NonNullable<models.ShowSession['smtp']>, 'host' | 'port'>;
}

export type Mailbox = models.Mailbox;

export type Attachment = Omit<models.Attachment, 'content_id'>;

export type FoundCode = models.Code;

export type FoundLink = models.MessageLink;

export type CheckName = keyof models.Authentication;

type MessageField =
  | 'to'
  | 'cc'
  | 'reply_to'
  | 'headers'
  | 'text'
  | 'html_reason'
  | 'html_url'
  | 'remote_images'
  | 'codes'
  | 'links'
  | 'authentication'
  | 'authentication_doubt'
  | 'parse'
  | 'raw_url';

export interface FullMessage extends MessageSummary, Pick<models.Message, MessageField> {
  readonly attachments: readonly Attachment[];
  readonly unsubscribe: Pick<models.Unsubscribe, 'url' | 'mailto'>;
  readonly authentication_details: Readonly<Record<CheckName, models.AuthenticationDetails['arc']>> | null;
  readonly envelope: Pick<models.Envelope, 'remote_ip' | 'tls' | 'mail_from' | 'rcpt_to'>;
}
