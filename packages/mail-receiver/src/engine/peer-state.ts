// The known state of one dialogue's peer: its name, whether TLS is in use, whether it authenticated, and how many wrong
// commands and guessed recipients it has left. Changed by EHLO, STARTTLS and AUTH. Owned by the engine.

import { offeredExtensions, type SmtpEngineSettings } from '../engine-step.ts';
import type { CommandLine } from './input-buffer.ts';
import { helloReply, replies, type Reply } from '../reply.ts';
import { beginSasl, type SaslExchange, type SaslTurn } from '../sasl-exchange.ts';

export type Budget = 'badCommands' | 'unknownRecipients';

export class PeerState {
  readonly #settings: SmtpEngineSettings;
  readonly #left: Record<Budget, number>;
  #helo: string | undefined;
  #isExtended = false;
  #isSecure = false;
  #isAuthenticated = false;
  #sasl: SaslExchange | undefined;

  constructor(settings: SmtpEngineSettings) {
    this.#settings = settings;
    this.#left = { badCommands: settings.badCommandsMax, unknownRecipients: settings.unknownRecipientsMax };
  }

  /** Undefined before HELO or EHLO. */
  get helo(): string | undefined {
    return this.#helo;
  }

  /** The reply to a recipient or message outside a transaction. */
  get missing(): Reply {
    return this.#helo === undefined ? replies.helloFirst : replies.mailFirst;
  }

  get isExtended(): boolean {
    return this.#isExtended;
  }

  get isSecure(): boolean {
    return this.#isSecure;
  }

  /** Returns the reply that ends the dialogue; undefined while it may go on. */
  spend(budget: Budget): Reply | undefined {
    this.#left[budget] -= 1;
    if (this.#left[budget] > 0) return undefined;
    return budget === 'badCommands' ? replies.tooManyErrors : replies.tooManyUnknown;
  }

  /** Answers HELO or EHLO; returns undefined when the name is invalid. */
  greet(verb: 'EHLO' | 'HELO', name: string): Reply | undefined {
    if (name === '' || name.includes(' ') || name.length > 255) return undefined;
    this.#helo = name;
    this.#isExtended = verb === 'EHLO';
    const extensions = this.#isExtended ? offeredExtensions(this.#settings, this.#isSecure) : [];
    return helloReply(this.#settings.hostname, extensions);
  }

  /** Called after the handshake, which discards all state from before it (RFC 3207 §4.2). */
  secure(): void {
    this.#helo = undefined;
    this.#isExtended = false;
    this.#isAuthenticated = false;
    this.#isSecure = true;
  }

  /** Answers AUTH with its arguments. */
  beginAuth(rest: string, isInTransaction: boolean): SaslTurn {
    const { offersAuth } = this.#settings;
    if (offersAuth === undefined) return { refusal: replies.notImplemented };
    if (!this.#isExtended) return { refusal: replies.helloFirst };
    if (this.#isAuthenticated) return { refusal: replies.alreadyAuthenticated };
    if (isInTransaction) return { refusal: replies.nestedMail };
    const begun = beginSasl(rest);
    if ('refusal' in begun) return begun;
    if (offersAuth === 'secure' && !this.#isSecure) return { refusal: replies.encryptFirst };
    this.#sasl = begun.exchange;
    return begun.turn;
  }

  /** Answers the line that follows a challenge. */
  continueAuth(line: CommandLine): SaslTurn {
    if ('text' in line && this.#sasl) return this.#sasl.answer(line.text);
    return 'refusal' in line && line.isFatal ? { end: line.refusal } : { refusal: replies.badBase64 };
  }

  /** Called when the credentials were right. */
  authenticate(): void {
    this.#isAuthenticated = true;
    this.#sasl = undefined;
  }
}
