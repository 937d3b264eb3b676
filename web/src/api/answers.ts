// What the operations answer, as far as this app reads it. The names are those of the interface (docs/api.md); nothing
// here is made by the app. Texts in it come from strangers and are shown as text.

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
  /** Grows in order of arrival within its session; a place in the session's log. */
  readonly id: number;
  readonly sender_name: string;
  readonly sender_email: string;
  readonly subject: string;
  readonly received_at: Timestamp;
  /** Bytes. */
  readonly size: number;
  readonly has_attachments: boolean;
  readonly is_read: boolean;
  readonly preview: string;
  /** The session's own in the envelope, as the sender spelled them; not told by earlier versions. */
  readonly recipients?: readonly string[];
  /** What stands behind the plus in these, each once; not told by earlier versions. */
  readonly tags?: readonly string[];
  readonly code: string | null;
  /** Only where mail comes through Gmail. */
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
  /** Of capture sessions: where to send mail to. */
  readonly smtp?: { readonly host: string; readonly port: number };
  /** It takes all mail of a developer's service. */
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
  readonly size: number;
  readonly disposition: 'attachment' | 'inline';
  /** Path with a ticket that is good for five minutes. */
  readonly url: string;
}

export interface FoundCode {
  readonly value: string;
  readonly kind: string;
  /** 0 to 1; from 0.8 on it is fit to be called the code. */
  readonly confidence: number;
  readonly context: string;
}

export interface FoundLink {
  readonly url: string;
  readonly text: string;
  readonly kind: string;
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
  /** Path of the framed document, with a ticket that is good for five minutes; null without HTML. */
  readonly html_url: string | null;
  /** Of what was kept out, the images, which can be loaded when they are asked for. */
  readonly remote_images: number;
  readonly attachments: readonly Attachment[];
  readonly codes: readonly FoundCode[];
  readonly links: readonly FoundLink[];
  readonly unsubscribe: { readonly url: string | null; readonly mailto: string | null };
  readonly authentication: Readonly<Record<CheckName, string | null>>;
  readonly authentication_details: Readonly<Record<CheckName, Check>> | null;
  /** Why what is shown may be another than what was checked; null for an ordinary header. */
  readonly authentication_doubt: string | null;
  readonly envelope: { readonly remote_ip: string; readonly tls: string | null };
  readonly parse: 'ok' | 'partial' | 'failed';
  /** Path with a ticket that is good for five minutes. */
  readonly raw_url: string;
}
