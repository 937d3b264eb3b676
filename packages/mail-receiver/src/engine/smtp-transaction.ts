// One mail transaction (RFC 5321 §3.3): its reverse-path, recipients, size limits, and the message as it arrives by
// DATA or BDAT. Owned by the engine.

import { DataDecoder } from '../message/data-decoder.ts';
import type { EngineMessage, RefusedMessage, SmtpEngineSettings } from '../engine-step.ts';
import type { InputBuffer } from './input-buffer.ts';
import type { LineFeedNormalizer } from '../line-feed-normalizer.ts';
import type { MessageBuffer } from '../message-buffer.ts';
import type { MailCommand } from '../parse-path.ts';
import { replies, type Reply } from '../reply.ts';

/** Limits size × recipients of one transaction (or one full-size message). */
const transactionMaxBytes = 64 * 1024 * 1024;
/** How far a message may exceed its declared size, on top of a quarter of it. */
const sizeSlackBytes = 64 * 1024;

export class SmtpTransaction<Resolved> {
  readonly mail: MailCommand;
  /** The accepted recipients, as the sender spelled them. */
  readonly rcptTo: string[] = [];
  readonly recipients: Resolved[] = [];
  readonly #settings: SmtpEngineSettings;
  #hasRefusedRecipient = false;

  constructor(mail: MailCommand, settings: SmtpEngineSettings) {
    this.mail = mail;
    this.#settings = settings;
  }

  add(text: string, recipient: Resolved): void {
    this.rcptTo.push(text);
    this.recipients.push(recipient);
  }

  recordRefused(): void {
    this.#hasRefusedRecipient = true;
  }

  hasRoomForRecipient(): boolean {
    const count = this.rcptTo.length;
    if (count >= this.#settings.recipientsMax) return false;
    return count === 0 || (this.mail.sizeBytes ?? 0) * (count + 1) <= this.#bytesMax;
  }

  /**
   * The size limit of the message, which is also the room reserved for it. A sender may only have estimated the size
   * (RFC 1870 §6.3), but declaring little and sending much would use room that was not reserved.
   */
  get messageMaxBytes(): number {
    const { sizeBytes } = this.mail;
    const declaredMax =
      sizeBytes === undefined ? Infinity : sizeBytes + Math.ceil(sizeBytes / 4) + sizeSlackBytes;
    const shared = Math.floor(this.#bytesMax / this.rcptTo.length);
    return Math.min(this.#settings.messageMaxBytes, shared, declaredMax);
  }

  /** Returns why no message may follow; undefined when one may. */
  findRefusal(): Reply | undefined {
    if (this.recipients.length > 0) return undefined;
    return this.#hasRefusedRecipient ? replies.noValidRecipients : replies.recipientFirst;
  }

  toMessage({
    raw,
    helo,
    isExtended,
  }: Pick<EngineMessage<Resolved>, 'raw' | 'helo' | 'isExtended'>): EngineMessage<Resolved> {
    const { mail, rcptTo, recipients } = this;
    return { mailFrom: mail.mailFrom, rcptTo, recipients, isUtf8: mail.isUtf8, raw, helo, isExtended };
  }

  /** Returns undefined when there was no recipient. `sizeBytes`: bytes received. */
  toRefused(reply: Reply, sizeBytes: number | undefined): RefusedMessage<Resolved> | undefined {
    const { mail, recipients } = this;
    if (recipients.length === 0) return undefined;
    const { mailFrom, sizeBytes: declaredBytes = null } = mail;
    return { kind: 'refused', recipients, mailFrom, reply, sizeBytes: sizeBytes ?? declaredBytes };
  }

  get #bytesMax(): number {
    return Math.max(transactionMaxBytes, this.#settings.messageMaxBytes);
  }
}

/** Receives the bytes of one message, and determines whether it is refused at its end. */
export class MessageIntake {
  readonly body: MessageBuffer;
  readonly #bytesMax: number;
  readonly #decoder = new DataDecoder();
  readonly #lineEnds = new LineEndCheck();
  readonly #normalizer: LineFeedNormalizer | undefined;
  #isTooBig = false;
  /** Octets kept, or that would be kept without a limit. */
  #keptBytes = 0;
  #sizeBytes = 0;
  /** Octets of the current BDAT chunk still to come. */
  #chunkLeft = 0;
  #chunkBytes = 0;
  #isLastChunk = false;

  /** @param normalizer turns LF and CR CR LF into line ends; without it, they cause the message to be refused */
  constructor(body: MessageBuffer, bytesMax: number, normalizer?: LineFeedNormalizer) {
    this.body = body;
    this.#bytesMax = bytesMax;
    this.#normalizer = normalizer;
  }

  /** Octets received, including those past the limit. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isLastChunk(): boolean {
    return this.#isLastChunk;
  }

  get chunkBytes(): number {
    return this.#chunkBytes;
  }

  /** Reads DATA from `input`; returns the index after the end of data, or -1 if that has not arrived. */
  readData(input: Buffer, from: number): number {
    const { kept, endAt } = this.#decoder.push(input, from);
    this.#append(kept);
    return endAt;
  }

  /** Reads what is waiting; reports whether the end of data has arrived. */
  readDataFrom(input: InputBuffer): boolean {
    let isEnd = false;
    input.read((bytes, at) => {
      const endAt = this.readData(bytes, at);
      isEnd = endAt >= 0;
      return endAt;
    });
    return isEnd;
  }

  beginChunk(sizeBytes: number, isLast: boolean): void {
    this.#chunkLeft = sizeBytes;
    this.#chunkBytes = sizeBytes;
    this.#isLastChunk = isLast;
  }

  /** Reads octets of the chunk from `input`; returns the index after the chunk, or -1 if more is to come. */
  readChunk(input: Buffer, from: number): number {
    const piece = input.subarray(from, from + this.#chunkLeft);
    this.#lineEnds.push(piece);
    this.#append(piece);
    this.#chunkLeft -= piece.length;
    if (this.#chunkLeft === 0 && this.#isLastChunk && this.#normalizer) this.#keep(this.#normalizer.end());
    return this.#chunkLeft === 0 ? from + piece.length : -1;
  }

  /** Reads what is waiting; reports whether the chunk is complete. */
  readChunkFrom(input: InputBuffer): boolean {
    if (!this.isChunkComplete) input.read((bytes, at) => this.readChunk(bytes, at));
    return this.isChunkComplete;
  }

  get isChunkComplete(): boolean {
    return this.#chunkLeft === 0;
  }

  /** Returns why octets were lost; undefined if none were. */
  findLoss(): Reply | undefined {
    if (this.#isTooBig) return replies.tooBig;
    return this.body.failure === undefined ? undefined : replies.storageFull;
  }

  /** Returns why the complete message is refused; undefined if it is not. */
  findRefusal(): Reply | undefined {
    const loss = this.findLoss();
    if (loss) return loss;
    if (this.#normalizer?.keepsBareLineEnds === true) return undefined;
    const isRefused = this.#normalizer
      ? this.#decoder.hasLoneCr || this.#lineEnds.hasLoneCr
      : this.#decoder.hasBareLineEnd || this.#lineEnds.hasBareLineEnd;
    return isRefused ? replies.bareCarriageReturnOrLineFeed : undefined;
  }

  #append(received: Buffer): void {
    this.#sizeBytes += received.length;
    if (this.#isTooBig) return;
    this.#keep(this.#normalizer ? this.#normalizer.push(received) : received);
  }

  #keep(piece: Buffer): void {
    if (this.#isTooBig) return;
    this.#keptBytes += piece.length;
    if (this.#keptBytes > this.#bytesMax) {
      this.#isTooBig = true;
      this.body.release();
    } else this.body.append(piece);
  }
}

const cr = 13;
const lf = 10;

/** Finds a CR without LF or an LF without CR in BDAT data (RFC 3030), as the decoder does for DATA. */
export class LineEndCheck {
  #isAfterCr = false;
  #hasBareCr = false;
  #hasLoneCr = false;
  #hasBareLf = false;

  /** Reports whether one was seen; a CR at the very end counts. */
  get hasBareLineEnd(): boolean {
    return this.#hasBareCr || this.#isAfterCr || this.#hasBareLf;
  }

  /** Reports whether a CR with neither another CR nor an LF after it was seen. */
  get hasLoneCr(): boolean {
    return this.#hasLoneCr || this.#isAfterCr;
  }

  push(bytes: Uint8Array): void {
    let isAfterCr = this.#isAfterCr;
    for (const byte of bytes) {
      if (isAfterCr !== (byte === lf)) {
        if (!isAfterCr) this.#hasBareLf = true;
        else {
          this.#hasBareCr = true;
          this.#hasLoneCr ||= byte !== cr;
        }
      }
      isAfterCr = byte === cr;
    }
    this.#isAfterCr = isAfterCr;
  }
}
