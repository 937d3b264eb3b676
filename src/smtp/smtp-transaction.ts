// One mail transaction (RFC 5321 §3.3): its reverse-path, its recipients, and how much may be sent to them. Owned by
// the engine.

import type { SmtpEngineSettings } from './engine-step.ts';
import type { MailCommand } from './parse-path.ts';
import { replies, type Reply } from './reply.ts';

/** Size × recipients of one transaction (or one full-size message). */
const transactionMaxBytes = 64 * 1024 * 1024;

export class SmtpTransaction<Recipient> {
  readonly mail: MailCommand;
  /** Accepted recipients, as the sender spelled them. */
  readonly rcptTo: string[] = [];
  readonly recipients: Recipient[] = [];
  readonly #settings: SmtpEngineSettings;
  #hasRefusedRecipient = false;

  constructor(mail: MailCommand, settings: SmtpEngineSettings) {
    this.mail = mail;
    this.#settings = settings;
  }

  add(text: string, recipient: Recipient): void {
    this.rcptTo.push(text);
    this.recipients.push(recipient);
  }

  noteRefused(): void {
    this.#hasRefusedRecipient = true;
  }

  hasRoomForRecipient(): boolean {
    const count = this.rcptTo.length;
    if (count >= this.#settings.recipientsMax) return false;
    return count === 0 || (this.mail.sizeBytes ?? 0) * (count + 1) <= this.#maxBytes;
  }

  /** Most bytes a message to these recipients may have. */
  get messageMaxBytes(): number {
    return Math.min(this.#settings.messageMaxBytes, Math.floor(this.#maxBytes / this.rcptTo.length));
  }

  /** Why no message may follow; undefined when one may. */
  findRefusal(): Reply | undefined {
    if (this.recipients.length > 0) return undefined;
    return this.#hasRefusedRecipient ? replies.noValidRecipients : replies.recipientFirst;
  }

  get #maxBytes(): number {
    return Math.max(transactionMaxBytes, this.#settings.messageMaxBytes);
  }
}
