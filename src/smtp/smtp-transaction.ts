// One mail transaction (RFC 5321 §3.3): its reverse-path, its recipients, and how much may be sent to them. Owned by
// the engine.

import type { EngineMessage, RefusedMessage, SmtpEngineSettings } from './engine-step.ts';
import type { MailCommand } from './parse-path.ts';
import { replies, type Reply } from './reply.ts';

/** Size × recipients of one transaction (or one full-size message). */
const transactionMaxBytes = 64 * 1024 * 1024;
/** How far a message may pass the size that was declared for it, and a quarter of that besides. */
const sizeSlackBytes = 64 * 1024;

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

  /**
   * Most bytes a message to these recipients may have, and the room reserved for it. A sender may have estimated its
   * size (RFC 1870 §6.3), but one that declares little and sends much would take room that nobody reserved.
   */
  get messageMaxBytes(): number {
    const { sizeBytes } = this.mail;
    const declaredMax =
      sizeBytes === undefined ? Infinity : sizeBytes + Math.ceil(sizeBytes / 4) + sizeSlackBytes;
    const shared = Math.floor(this.#maxBytes / this.rcptTo.length);
    return Math.min(this.#settings.messageMaxBytes, shared, declaredMax);
  }

  /** Why no message may follow; undefined when one may. */
  findRefusal(): Reply | undefined {
    if (this.recipients.length > 0) return undefined;
    return this.#hasRefusedRecipient ? replies.noValidRecipients : replies.recipientFirst;
  }

  toMessage({
    raw,
    helo,
    isExtended,
  }: Pick<EngineMessage<Recipient>, 'raw' | 'helo' | 'isExtended'>): EngineMessage<Recipient> {
    const { mail, rcptTo, recipients } = this;
    return { mailFrom: mail.mailFrom, rcptTo, recipients, isUtf8: mail.isUtf8, raw, helo, isExtended };
  }

  /** Undefined when nobody was to get the message. `sizeBytes`: of what has come. */
  toRefused(reply: Reply, sizeBytes: number | undefined): RefusedMessage<Recipient> | undefined {
    const { mail, recipients } = this;
    if (recipients.length === 0) return undefined;
    const { mailFrom, sizeBytes: declaredBytes = null } = mail;
    return { kind: 'refused', recipients, mailFrom, reply, sizeBytes: sizeBytes ?? declaredBytes };
  }

  get #maxBytes(): number {
    return Math.max(transactionMaxBytes, this.#settings.messageMaxBytes);
  }
}
