// Messages and what came with them. `raw` is never altered; everything else is derived from it or from the dialogue.

/** RFC 5321 §2.3.1. */
export interface Envelope {
  /** Reverse-path as the sender gave it, null for `<>`. */
  readonly mailFrom: string | null;
  /** Recipients of the transaction that were accepted, as the sender spelled them. */
  readonly rcptTo: readonly string[];
}

/**
 * Where a message came from. Untrusted but for `remoteAddress` and `tls`. Of a message fetched over IMAP it is what the
 * account's server says of its own client, empty and null where that is not known.
 */
export interface MessageSource {
  readonly protocol: 'SMTP' | `${'ESMTP' | 'UTF8SMTP'}${'' | 'S'}${'' | 'A'}` | 'IMAP';
  readonly remoteAddress: string;
  readonly helo: string;
  /** TLS version and cipher, null when the connection was in the clear. */
  readonly tls: string | null;
  /** Our id of the connection, as in the log. */
  readonly connection?: string;
}

/** Bytes of a message exactly as they came (dot-unstuffed), in memory or elsewhere; never assumed to fit a heap. */
export interface RawMessage {
  readonly sizeBytes: number;
  /** The first bytes, at least the lesser of `sizeBytes` and 64 KiB. */
  head(): Buffer;
  /** All bytes in order, in pieces of any size. May be called again. */
  pieces(): Iterable<Buffer>;
  /** Frees what is held; safe to call twice. */
  release(): void;
}

/** What a receiving protocol hands to receive-message. */
export interface IncomingMessage {
  readonly envelope: Envelope;
  readonly raw: RawMessage;
  readonly source: MessageSource;
}

/** Sealed beside each stored message: what lists and readers need without touching raw. */
export interface MessageMeta {
  readonly senderName: string;
  readonly senderEmail: string;
  readonly subject: string;
  readonly envelope: Envelope;
  readonly source: MessageSource;
  /** Our id in the Received field and in the log. */
  readonly ingestId: string;
  /** The account's server had put it into its spam folder; absent when not, and when it came over SMTP. */
  readonly isSpam?: true;
}

/** Made from the first 64 KiB when a message is first listed, then kept. */
export interface MessageGlance {
  /** First 120 characters of readable text. */
  readonly preview: string;
  /** The one-time code found with confidence, or null. */
  readonly code: string | null;
  readonly hasAttachments: boolean;
  /** It could not be made in time: another look may tell more. Never kept. */
  readonly isProvisional?: true;
  /** The bytes that were looked at end before the text does: more of them would tell more. Never kept. */
  readonly isCut?: true;
}
