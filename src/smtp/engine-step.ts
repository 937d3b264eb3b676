// What the engine asks of the world, and what it is made with. Shared by the engine and its driver (smtp-connection.ts).
// `Resolved` is whatever a recipient was resolved to; the engine hands it on and never looks into it.

import type { Address } from '../domain/address.ts';
import type { RawMessage } from '../domain/message.ts';
import type { MessageBuffer } from './message-buffer.ts';
import type { MailCommand } from './parse-path.ts';
import type { Reply } from './reply.ts';
import { type Credentials, saslMechanisms } from './sasl-exchange.ts';

export interface SmtpEngineSettings {
  readonly hostname: string;
  readonly messageMaxBytes: number;
  readonly recipientsMax: number;
  /** Whether STARTTLS is offered while the connection is in the clear. */
  readonly offersTls: boolean;
  /** Where AUTH is taken: over TLS, or in the clear too. Nowhere where absent. */
  readonly offersAuth?: 'secure' | 'always' | undefined;
  /** Wrong commands after which the dialogue ends; Infinity for no limit. */
  readonly badCommandsMax: number;
  /** Unknown or foreign recipients after which the dialogue ends; Infinity for no limit. */
  readonly unknownRecipientsMax: number;
  /** What becomes of an LF without CR; refused where absent. */
  readonly bareLineFeed?: 'refuse' | 'normalize';
}

/** What EHLO is answered with; docs/standards.md says what each amounts to. RFC 3207 §4.2: STARTTLS is not offered again once TLS is in use. */
export function offeredExtensions(settings: SmtpEngineSettings, isSecure: boolean): string[] {
  const { offersTls, offersAuth } = settings;
  const takesAuth = offersAuth === 'always' || (offersAuth === 'secure' && isSecure);
  return [
    ...(offersTls && !isSecure ? ['STARTTLS'] : []),
    'PIPELINING',
    `SIZE ${settings.messageMaxBytes}`,
    '8BITMIME',
    'SMTPUTF8',
    'CHUNKING',
    ...(takesAuth ? [`AUTH ${saslMechanisms.join(' ')}`] : []),
    'ENHANCEDSTATUSCODES',
  ];
}

/** So many steps, most of them a command, are done before others have their turn. No sender waits for so many. */
export const stepsAtOnce = 20;

/** What the engine needs from outside before it can go on. */
export type Step<Resolved> =
  | { readonly kind: 'input' }
  /** There is more to do, and enough was done. Nothing is to be answered. */
  | { readonly kind: 'turn' }
  /** May a transaction begin? */
  | { readonly kind: 'transaction'; readonly mailFrom: string | null }
  | { readonly kind: 'recipient'; readonly address: Address; readonly mail: MailCommand }
  /** May a message be sent, of so many bytes if its sender told, and where to? Asked before any of it is taken. */
  | { readonly kind: 'body'; readonly declaredBytes: number }
  | { readonly kind: 'message'; readonly message: EngineMessage<Resolved> }
  | RefusedMessage<Resolved>
  /** Are these a session's? */
  | ({ readonly kind: 'auth' } & Credentials)
  /** Handshake; what was sent in the clear before it has been dropped. */
  | { readonly kind: 'tls' }
  | { readonly kind: 'close' };

/** A message for accepted recipients was refused or lost. Told for the record; nothing is to be answered. */
export interface RefusedMessage<Resolved> {
  readonly kind: 'refused';
  readonly recipients: readonly Resolved[];
  readonly mailFrom: string | null;
  readonly reply: Reply;
  /** As far as it came, else as declared, else null. */
  readonly sizeBytes: number | null;
}

export interface Refusal {
  readonly refusal: Reply;
}

/** `roomBytes`: more than that no recipient has room for; without bounds where absent. */
export type BodyAnswer = { readonly body: MessageBuffer; readonly roomBytes?: number } | Refusal;

export interface EngineMessage<Resolved> {
  readonly mailFrom: string | null;
  /** As the sender spelled them, in order. */
  readonly rcptTo: readonly string[];
  readonly recipients: readonly Resolved[];
  readonly raw: RawMessage;
  readonly helo: string;
  readonly isExtended: boolean;
  readonly isUtf8: boolean;
}

/**
 * Where the engine is in a dialogue. `body`: octets of DATA or of a chunk are being taken. `swallow`: octets of a refused chunk are dropped.
 * `sasl`: a challenge is to be answered.
 * `waiting`: a step is to be answered.
 */
export type Phase = 'command' | 'body' | 'swallow' | 'sasl' | 'waiting' | 'closed';

/** The step that is to be answered, with what the engine keeps of it. */
export type Asked =
  | { readonly kind: 'transaction'; readonly mail: MailCommand }
  | { readonly kind: 'recipient'; readonly text: string }
  | {
      readonly kind: 'body';
      readonly maxBytes: number;
      readonly chunk: { sizeBytes: number; isLast: boolean } | undefined;
    }
  | { readonly kind: 'message' | 'tls' | 'auth' };
