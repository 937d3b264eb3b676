// Messages and their metadata. `raw` is never altered; everything else is derived from it or from the SMTP dialogue.

import type { SessionKey } from './session.ts';

/** RFC 5321 §2.3.1. */
export interface Envelope {
  /** The reverse-path as given by the sender; null for `<>`. */
  readonly mailFrom: string | null;
  /** The accepted recipients of the transaction, as the sender spelled them. */
  readonly rcptTo: readonly string[];
}

/**
 * Where a message came from. Untrusted except for `remoteAddress` and `tls`. For a message fetched over IMAP, what
 * the account's server recorded about its own client; empty or null when unknown. For one handed over by HTTP, `helo` is
 * the service that did, and the address is unknown.
 */
export interface MessageSource {
  readonly protocol: 'SMTP' | `${'ESMTP' | 'UTF8SMTP'}${'' | 'S'}${'' | 'A'}` | 'IMAP' | 'HTTP';
  readonly remoteAddress: string;
  readonly helo: string;
  /** TLS version and cipher; null for a plain connection. */
  readonly tls: string | null;
  /** The connection's id, as in the log. */
  readonly connection?: string;
  /** SPF as found by a service that the operator trusts in this; else it is checked here. */
  readonly spf?: FoundSpf;
  /** The user name given at AUTH, for the session that it authenticated as; else absent. */
  readonly login?: string;
}

export interface FoundSpf {
  readonly result: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror';
  readonly domain: string | null;
}

/** The bytes of a message as received (dot-unstuffed), in memory or elsewhere; may be larger than the heap. */
export interface RawMessage {
  readonly sizeBytes: number;
  /** Returns the first bytes, at least the lesser of `sizeBytes` and 64 KiB. */
  head(): Buffer;
  /** Yields all bytes in order, in pieces of any size. May be called again. */
  pieces(): Iterable<Buffer>;
  /** Frees what is held; may be called twice. */
  release(): void;
}

/** The input of receive-message from a receiving protocol. */
export interface IncomingMessage {
  readonly envelope: Envelope;
  readonly raw: RawMessage;
  readonly source: MessageSource;
  /** The name that the connection authenticated with. */
  readonly login?: SmtpLoginName | undefined;
  /** 16 bytes, the same whenever this message is handed over again, so that no session receives it twice. */
  readonly origin?: Uint8Array | undefined;
}

export interface SmtpLoginName {
  readonly name: string;
  /** The only one that may learn the name. */
  readonly session: SessionKey;
}

/** Stored sealed beside each message: what lists and readers need without reading raw. */
export interface MessageMeta {
  readonly senderName: string;
  readonly senderEmail: string;
  readonly subject: string;
  readonly envelope: Envelope;
  readonly source: MessageSource;
  /** The id in the Received field and in the log. */
  readonly ingestId: string;
  /** Set when the account's server filed it as spam; absent otherwise, and for mail over SMTP. */
  readonly isSpam?: true;
}

/** Made when a message is first listed, then stored: from its first 64 KiB where they show everything, else from all. */
export interface MessageGlance {
  /** The first 120 characters of readable text. */
  readonly preview: string;
  /** The one-time code, if one was found with confidence. */
  readonly code: string | null;
  /** Null when not all of the message could be read, and no attachment was found in what was. */
  readonly hasAttachments: boolean | null;
  /** Set when not all of the message could be read: a code or more text may follow. */
  readonly isPartial?: true;
  /** Set when another try may read more. Never stored. */
  readonly isProvisional?: true;
}
