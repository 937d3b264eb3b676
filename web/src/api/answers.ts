// The answers of the operations, as far as this app reads them. Field names are those of the interface (docs/api.md).
// The texts come from strangers and are only ever shown as text.

/** UTC, `YYYY-MM-DD HH:MM:SS`. */
export type Timestamp = string;

export interface Expiry {
  readonly expires_at: Timestamp;
  /** Whole seconds left. */
  readonly expires_in: number;
}

export interface CreatedSession extends Expiry {
  readonly email: string;
  readonly token: string;
}

export interface DomainList {
  readonly domains: readonly { readonly id: number; readonly domain: string }[];
  readonly gmail_accounts: readonly { readonly id: number; readonly email: string }[];
}

export interface MessageSummary {
  /** Place in the session's log; increases in order of arrival. */
  readonly id: number;
  readonly sender_name: string;
  readonly sender_email: string;
  readonly subject: string;
  readonly received_at: Timestamp;
  /** Bytes. */
  readonly size: number;
  /** Null when unknown. */
  readonly has_attachments: boolean | null;
  readonly is_read: boolean;
  readonly preview: string;
  /** The session's own addresses in the envelope, as the sender spelled them; absent from earlier versions. */
  readonly recipients?: readonly string[];
  /** Plus tags of these addresses, each once; absent from earlier versions. */
  readonly tags?: readonly string[];
  readonly code: string | null;
  /** Present only when mail comes through Gmail. */
  readonly in_spam?: boolean;
}

export interface MessageList extends Expiry {
  readonly email: string;
  /** Newest first. */
  readonly messages: readonly MessageSummary[];
}

export interface Delivery {
  readonly at: Timestamp;
  readonly outcome: 'accepted' | 'refused';
  readonly reply: string;
  readonly size: number | null;
  readonly remote_ip: string;
  readonly tls: string | null;
  readonly mail_from: string | null;
  readonly message_id: number | null;
}

export interface SessionDetails extends Expiry {
  readonly email: string;
  readonly extendable_until: Timestamp;
  readonly deliveries: readonly Delivery[];
  /** The server that takes the mail of a capture session. */
  readonly smtp?: { readonly host: string; readonly port: number };
  /** The session takes all mail of a developer's service. */
  readonly standing?: boolean;
}

export interface Mailbox {
  readonly name: string;
  readonly email: string;
}

export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  /** The type of a picture by its first bytes; null for anything else. */
  readonly picture_type: string | null;
  readonly size: number;
  readonly disposition: 'attachment' | 'inline';
  /** Path with a ticket valid for five minutes. */
  readonly url: string;
}

export interface FoundCode {
  readonly value: string;
  readonly kind: string;
  /** From 0 to 1; 0.8 and more means a reliable code. */
  readonly confidence: number;
  readonly context: string;
}

export interface FoundLink {
  readonly url: string;
  readonly text: string;
  readonly kind: string;
  readonly clickable: boolean;
  readonly flags: readonly ('punycode' | 'mismatch' | 'userinfo')[];
}

interface Check {
  readonly domain: string | null;
  readonly reason: string | null;
}

export type CheckName = 'spf' | 'dkim' | 'dmarc' | 'arc';

export interface FullMessage extends MessageSummary {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly reply_to: readonly Mailbox[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string;
  readonly html_reason: string | null;
  /** Path of the framed document, with a ticket valid for five minutes; null without HTML. */
  readonly html_url: string | null;
  /** The number of blocked images that can be loaded on request. */
  readonly remote_images: number;
  readonly attachments: readonly Attachment[];
  readonly codes: readonly FoundCode[];
  readonly links: readonly FoundLink[];
  readonly unsubscribe: { readonly url: string | null; readonly mailto: string | null };
  readonly authentication: Readonly<Record<CheckName, string | null>>;
  readonly authentication_details: Readonly<Record<CheckName, Check>> | null;
  /** Why the address shown may differ from the one checked; null for an ordinary header. */
  readonly authentication_doubt: string | null;
  readonly envelope: { readonly remote_ip: string; readonly tls: string | null };
  readonly parse: 'ok' | 'partial' | 'failed';
  /** Path with a ticket valid for five minutes. */
  readonly raw_url: string;
}
