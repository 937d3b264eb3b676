// The steps that the engine asks its driver to perform, and the engine's settings. `Resolved` is whatever a recipient
// resolves to; the engine passes it on without looking inside.

import type { Address } from './address.ts';
import type { MessageBuffer } from './message-buffer.ts';
import type { MailCommand } from './parse-path.ts';
import type { Reply } from './reply.ts';
import { type SaslLogin, saslMechanisms } from './sasl-exchange.ts';

export interface SmtpEngineSettings {
  readonly hostname: string;
  readonly messageMaxBytes: number;
  readonly recipientsMax: number;
  /** Whether STARTTLS is offered on a plain connection. */
  readonly offersTls: boolean;
  /** Where AUTH is accepted: over TLS only, or always; nowhere when absent. */
  readonly offersAuth: 'secure' | 'always' | undefined;
  /** Wrong commands after which the dialogue ends; Infinity for no limit. */
  readonly badCommandsMax: number;
  /** Unknown or foreign recipients after which the dialogue ends; Infinity for no limit. */
  readonly unknownRecipientsMax: number;
  /** How an LF without CR is treated; refused when absent. */
  readonly bareLineFeed: 'refuse' | 'normalize' | 'keep';
}

/**
 * The extensions that EHLO announces; docs/standards.md explains each. STARTTLS is not offered again over TLS (RFC
 * 3207 §4.2).
 */
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

/**
 * How many steps, most of them commands, are taken before other connections get their turn. No sender waits for as
 * many.
 */
export const stepsAtOnce = 20;

/** A request from the engine to its driver, whose answer it needs in order to continue. */
export type Step<Resolved> =
  | { readonly kind: 'input' }
  /** There is more to do, but other connections come first. Needs no answer. */
  | { readonly kind: 'turn' }
  /** Asks whether a transaction may begin. */
  | { readonly kind: 'transaction'; readonly mailFrom: string | null }
  | { readonly kind: 'recipient'; readonly address: Address; readonly mail: MailCommand }
  /** Asks, before any byte is taken, whether and where to put a message of the declared size. */
  | { readonly kind: 'body'; readonly declaredBytes: number }
  | { readonly kind: 'message'; readonly message: EngineMessage<Resolved> }
  | RefusedMessage<Resolved>
  /** Asks whether these are a session's credentials. */
  | ({ readonly kind: 'auth' } & SaslLogin)
  /** Asks for the TLS handshake; earlier plain-text input has been discarded. */
  | { readonly kind: 'tls' }
  | { readonly kind: 'close' };

/** A message for accepted recipients that was refused or lost. Reported for the record; needs no answer. */
export interface RefusedMessage<Resolved> {
  readonly kind: 'refused';
  readonly recipients: readonly Resolved[];
  readonly mailFrom: string | null;
  readonly reply: Reply;
  /** The bytes received, else the declared size, else null. */
  readonly sizeBytes: number | null;
}

export interface Refusal {
  readonly refusal: Reply;
}

export const refusalStages = ['connect', 'helo', 'tls', 'auth', 'mail', 'rcpt', 'command'] as const;

/** How far a dialogue had come: a connection, one of these commands, or any other. */
export type RefusalStage = (typeof refusalStages)[number];

/** A command refused, or a dialogue ended, before a recipient was accepted. */
export interface EarlyRefusal {
  readonly stage: RefusalStage;
  readonly reply: Reply;
  /** As MAIL gave it; undefined where there is none. */
  readonly mailFrom?: string | null | undefined;
}

export type BodyAnswer = { readonly body: MessageBuffer } | Refusal;

export interface EngineMessage<Resolved> {
  readonly mailFrom: string | null;
  /** As the sender spelled them, in order. */
  readonly rcptTo: readonly string[];
  readonly recipients: readonly Resolved[];
  readonly raw: MessageBuffer;
  readonly helo: string;
  readonly isExtended: boolean;
  readonly isUtf8: boolean;
}

/**
 * The engine's place in a dialogue. `body`: taking octets of DATA or of a chunk. `swallow`: discarding octets of a
 * refused chunk.
 * `sasl`: expecting the answer to a challenge.
 * `waiting`: expecting the answer to a step.
 */
export type Phase = 'command' | 'body' | 'swallow' | 'sasl' | 'waiting' | 'closed';

/** The step awaiting an answer, with what the engine keeps for it. */
export type Asked =
  | { readonly kind: 'transaction'; readonly mail: MailCommand }
  | { readonly kind: 'recipient'; readonly text: string }
  | {
      readonly kind: 'body';
      readonly bytesMax: number;
      readonly chunk: { sizeBytes: number; isLast: boolean } | undefined;
    }
  | { readonly kind: 'message' | 'tls' | 'auth' };
