// The receiving protocol as a pure state machine (RFC 5321): bytes are pushed in, replies are taken out, and questions
// that need the world (is this a recipient? is the message stored?) are returned as steps and answered later. No
// sockets, no clocks, no promises. smtp-connection.ts drives it.

import type { Address } from '../domain/address.ts';
import type { RawMessage } from '../domain/message.ts';
import { DataDecoder } from './data-decoder.ts';
import { MessageBuffer } from './message-buffer.ts';
import { type MailCommand, parseMail, parseRcpt } from './parse-path.ts';
import { greeting, helloReply, replies, type Reply } from './reply.ts';

/** RFC 5321 §4.5.3.1.4 wants 512, and more for each extension's parameters; nobody needs more than this. */
const commandMaxBytes = 2048;
/** Size × recipients of one transaction (or one full-size message). */
const transactionMaxBytes = 64 * 1024 * 1024;

export interface SmtpEngineSettings {
  readonly hostname: string;
  readonly messageMaxBytes: number;
  readonly recipientsMax: number;
}

/** What the engine needs from outside before it can go on. */
export type Step<Recipient> =
  | { readonly kind: 'input' }
  | { readonly kind: 'recipient'; readonly address: Address }
  | { readonly kind: 'message'; readonly message: EngineMessage<Recipient> }
  | { readonly kind: 'close' };

export interface EngineMessage<Recipient> {
  readonly mailFrom: string | null;
  /** As the sender spelled them, in order. */
  readonly rcptTo: readonly string[];
  readonly recipients: readonly Recipient[];
  readonly raw: RawMessage;
  readonly helo: string;
  readonly isExtended: boolean;
  readonly isUtf8: boolean;
}

interface Transaction<Recipient> {
  readonly mail: MailCommand;
  readonly rcptTo: string[];
  readonly recipients: Recipient[];
  hasRefusedRecipient: boolean;
}

interface Incoming {
  readonly decoder: DataDecoder;
  readonly buffer: MessageBuffer;
  readonly maxBytes: number;
  isTooBig: boolean;
}

const printable = /^[\x20-\x7e]*$/;
const printableUnicode = /^[^\p{Cc}\u2028\u2029\ufffd]*$/u;

/** The text of a command line; undefined when it holds control characters or is not UTF-8. */
function readLine(bytes: Buffer): string | undefined {
  const ascii = bytes.toString('latin1');
  if (printable.test(ascii)) return ascii;
  const text = bytes.toString('utf8');
  return printableUnicode.test(text) ? text : undefined;
}

type Phase = 'command' | 'data' | 'waiting' | 'closed';

export class SmtpEngine<Recipient> {
  readonly #settings: SmtpEngineSettings;
  #output = '';
  #input: Buffer | undefined;
  #at = 0;
  #phase: Phase = 'command';
  #helo: string | undefined;
  #isExtended = false;
  #transaction: Transaction<Recipient> | undefined;
  #incoming: Incoming | undefined;
  #asked: string | undefined;

  constructor(settings: SmtpEngineSettings) {
    this.#settings = settings;
    this.#say(greeting(settings.hostname));
  }

  /** Whether a message is being taken or stored: a shutdown lets it finish. */
  get isTakingMessage(): boolean {
    return this.#phase === 'data' || (this.#phase === 'waiting' && this.#asked === undefined);
  }

  /** Whether a transaction is open whose message has not been handed over. */
  get isInTransaction(): boolean {
    return this.#transaction !== undefined && (this.#phase !== 'waiting' || this.#asked !== undefined);
  }

  /** Bytes pushed in and not worked off. */
  get waitingBytes(): number {
    return this.#input ? this.#input.length - this.#at : 0;
  }

  /** The engine owns the bytes from here on. */
  push(bytes: Buffer): void {
    const rest = this.#input && this.#at < this.#input.length ? this.#input.subarray(this.#at) : undefined;
    this.#input = rest ? Buffer.concat([rest, bytes]) : bytes;
    this.#at = 0;
  }

  /** Replies since the last call, in order. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  /** Works through the input until something from outside is needed. */
  step(): Step<Recipient> {
    for (;;) {
      if (this.#phase === 'closed') return { kind: 'close' };
      const step = this.#phase === 'data' ? this.#readData() : this.#readCommand();
      if (step) return step;
    }
  }

  /** Ends the dialogue with a last reply. */
  close(reply: Reply): void {
    this.#say(reply);
    this.#phase = 'closed';
    this.#input = undefined;
    this.#incoming = undefined;
  }

  /** Answers a `recipient` step: the recipient to deliver to, or the reply that refuses it. */
  answerRecipient(answer: { readonly recipient: Recipient } | { readonly refusal: Reply }): void {
    if (this.#phase === 'closed') return;
    const transaction = this.#transaction;
    if (!transaction || this.#asked === undefined) throw new Error('No recipient was asked for.');
    this.#phase = 'command';
    if ('refusal' in answer) {
      transaction.hasRefusedRecipient = true;
      this.#say(answer.refusal);
    } else {
      transaction.rcptTo.push(this.#asked);
      transaction.recipients.push(answer.recipient);
      this.#say(replies.recipientOk);
    }
    this.#asked = undefined;
  }

  /** Answers a `message` step. The transaction is over, whatever the reply. */
  answerMessage(reply: Reply): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'command';
    this.#incoming?.buffer.release();
    this.#incoming = undefined;
    this.#transaction = undefined;
    this.#say(reply);
  }

  #say(reply: Reply): undefined {
    this.#output += reply;
    return undefined;
  }

  /** Input that is worked off is not kept: an idle connection would hold a whole socket buffer. */
  #awaitInput(): Step<Recipient> {
    if (this.#input && this.#at >= this.#input.length) this.#input = undefined;
    return { kind: 'input' };
  }

  #readCommand(): Step<Recipient> | undefined {
    const input = this.#input;
    const end = input ? input.indexOf(10, this.#at) : -1;
    if (!input || end < 0) {
      if (!input || input.length - this.#at <= commandMaxBytes) return this.#awaitInput();
      this.close(replies.lineTooLong);
      return undefined;
    }
    const from = this.#at;
    this.#at = end + 1;
    if (end - from > commandMaxBytes) {
      this.close(replies.lineTooLong);
      return undefined;
    }
    if (end === from || input[end - 1] !== 13) return this.#say(replies.bareLineEnd);
    const line = readLine(input.subarray(from, end - 1));
    return line === undefined ? this.#say(replies.badCharacters) : this.#command(line);
  }

  #command(line: string): Step<Recipient> | undefined {
    const space = line.indexOf(' ');
    const verb = (space < 0 ? line : line.slice(0, space)).toUpperCase();
    const rest = space < 0 ? '' : line.slice(space + 1).trim();
    switch (verb) {
      case 'MAIL':
        return this.#mail(rest);
      case 'RCPT':
        return this.#rcpt(rest);
      case 'DATA':
        return this.#data(rest);
      case 'EHLO':
      case 'HELO':
        return this.#hello(verb, rest);
      case 'RSET':
        if (rest !== '') return this.#say(replies.badArguments);
        this.#transaction = undefined;
        return this.#say(replies.ok);
      case 'NOOP':
        return this.#say(replies.ok);
      case 'VRFY':
        return this.#say(rest === '' ? replies.badArguments : replies.cannotVerify);
      case 'QUIT':
        this.close(replies.bye);
        return undefined;
      case 'EXPN':
      case 'HELP':
      case 'AUTH':
      case 'ETRN':
      case 'TURN':
      case 'STARTTLS':
      case 'BDAT':
        return this.#say(replies.notImplemented);
      default:
        return this.#say(replies.unrecognised);
    }
  }

  #hello(verb: 'EHLO' | 'HELO', name: string): undefined {
    if (name === '' || name.includes(' ') || name.length > 255) return this.#say(replies.badArguments);
    const { hostname, messageMaxBytes } = this.#settings;
    this.#helo = name;
    this.#isExtended = verb === 'EHLO';
    this.#transaction = undefined;
    const extensions = [
      'PIPELINING',
      `SIZE ${messageMaxBytes}`,
      '8BITMIME',
      'SMTPUTF8',
      'ENHANCEDSTATUSCODES',
    ];
    return this.#say(helloReply(hostname, this.#isExtended ? extensions : []));
  }

  #mail(rest: string): undefined {
    if (this.#helo === undefined) return this.#say(replies.helloFirst);
    if (this.#transaction) return this.#say(replies.nestedMail);
    const mail = parseMail(rest);
    if (typeof mail === 'string') return this.#say(mail);
    if ((mail.sizeBytes ?? 0) > this.#settings.messageMaxBytes) return this.#say(replies.tooBig);
    this.#transaction = { mail, rcptTo: [], recipients: [], hasRefusedRecipient: false };
    return this.#say(replies.senderOk);
  }

  #rcpt(rest: string): Step<Recipient> | undefined {
    const transaction = this.#transaction;
    if (!transaction) return this.#say(this.#helo === undefined ? replies.helloFirst : replies.mailFirst);
    const rcpt = parseRcpt(rest, transaction.mail.isUtf8);
    if (typeof rcpt === 'string') {
      transaction.hasRefusedRecipient = true;
      return this.#say(rcpt);
    }
    if (!this.#hasRoomForRecipient(transaction)) return this.#say(replies.tooManyRecipients);
    this.#asked = rcpt.text;
    this.#phase = 'waiting';
    return { kind: 'recipient', address: rcpt.address };
  }

  #hasRoomForRecipient({ mail, rcptTo }: Transaction<Recipient>): boolean {
    if (rcptTo.length >= this.#settings.recipientsMax) return false;
    return rcptTo.length === 0 || (mail.sizeBytes ?? 0) * (rcptTo.length + 1) <= this.#transactionMaxBytes;
  }

  get #transactionMaxBytes(): number {
    return Math.max(transactionMaxBytes, this.#settings.messageMaxBytes);
  }

  #data(rest: string): undefined {
    const transaction = this.#transaction;
    if (!transaction) return this.#say(this.#helo === undefined ? replies.helloFirst : replies.mailFirst);
    if (rest !== '') return this.#say(replies.badArguments);
    if (transaction.recipients.length === 0) {
      return this.#say(transaction.hasRefusedRecipient ? replies.noValidRecipients : replies.recipientFirst);
    }
    // RFC 2920 §3.1: DATA ends a group. What came with it would be a message the sender cannot know to be wanted.
    if (this.#input && this.#at < this.#input.length) {
      this.close(replies.dataTooSoon);
      return undefined;
    }
    const perRecipient = Math.floor(this.#transactionMaxBytes / transaction.rcptTo.length);
    this.#incoming = {
      decoder: new DataDecoder(),
      buffer: new MessageBuffer(),
      maxBytes: Math.min(this.#settings.messageMaxBytes, perRecipient),
      isTooBig: false,
    };
    this.#phase = 'data';
    return this.#say(replies.startData);
  }

  #readData(): Step<Recipient> | undefined {
    const input = this.#input;
    const incoming = this.#incoming;
    if (!incoming) throw new Error('There is no message to read data into.');
    if (!input || this.#at >= input.length) return this.#awaitInput();
    const { kept, endAt } = incoming.decoder.push(input, this.#at);
    this.#at = endAt < 0 ? input.length : endAt;
    if (incoming.buffer.sizeBytes + kept.length > incoming.maxBytes) {
      incoming.isTooBig = true;
      incoming.buffer.release();
    }
    if (!incoming.isTooBig) incoming.buffer.append(kept);
    return endAt < 0 ? this.#awaitInput() : this.#endData(incoming);
  }

  #endData(incoming: Incoming): Step<Recipient> | undefined {
    const transaction = this.#transaction;
    if (!transaction) throw new Error('Data ended outside a transaction.');
    const refusal = incoming.isTooBig
      ? replies.tooBig
      : incoming.decoder.hasBareLineEnd
        ? replies.bareCarriageReturnOrLineFeed
        : undefined;
    if (refusal) {
      this.answerMessage(refusal);
      return undefined;
    }
    this.#phase = 'waiting';
    const { mail, rcptTo, recipients } = transaction;
    const message: EngineMessage<Recipient> = {
      mailFrom: mail.mailFrom,
      rcptTo,
      recipients,
      raw: incoming.buffer,
      helo: this.#helo ?? '',
      isExtended: this.#isExtended,
      isUtf8: mail.isUtf8,
    };
    return { kind: 'message', message };
  }
}
