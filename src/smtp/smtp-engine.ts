// The receiving protocol as a pure state machine (RFC 5321): bytes are pushed in, replies are taken out, and questions
// that need the world (is this a recipient? is the message stored?) are returned as steps and answered later. No
// sockets, no clocks, no promises. smtp-connection.ts drives it.

import type { Asked, BodyAnswer, Phase, Refusal, RefusedMessage } from './engine-step.ts';
import { offeredExtensions, type SmtpEngineSettings, type Step, stepsAtOnce } from './engine-step.ts';
import { InputBuffer } from './input-buffer.ts';
import { LineFeedNormalizer } from './line-feed-normalizer.ts';
import { parseMail, parseRcpt } from './parse-path.ts';
import { chunkTaken, greeting, helloReply, isFault, isGuess, replies, type Reply } from './reply.ts';
import { MessageIntake, SmtpTransaction } from './smtp-transaction.ts';
import { isHttp, isKnownVerb, parseBdat, splitCommand } from './split-command.ts';

export class SmtpEngine<Resolved> {
  /** Command lines taken so far, right or wrong. */
  commandCount = 0;
  readonly #settings: SmtpEngineSettings;
  readonly #takesBareLf: boolean;
  readonly #input = new InputBuffer();
  #output = '';
  #phase: Phase = 'command';
  #helo: string | undefined;
  #isExtended = false;
  #isSecure = false;
  #transaction: SmtpTransaction<Resolved> | undefined;
  #intake: MessageIntake | undefined;
  #isChunked = false;
  #swallow = { leftBytes: 0, reply: replies.ok, isFault: false };
  #asked: Asked | undefined;
  /** Still to be told. */
  #refused: RefusedMessage<Resolved> | undefined;
  #badCommands = 0;
  #unknownRecipients = 0;

  constructor(settings: SmtpEngineSettings) {
    this.#settings = settings;
    this.#takesBareLf = settings.bareLineFeed === 'normalize';
    this.#say(greeting(settings.hostname));
  }

  /** Whether a message is being taken or stored: a shutdown lets it finish. */
  get isTakingMessage(): boolean {
    return this.#phase !== 'closed' && (this.#intake !== undefined || this.#asked?.kind === 'body');
  }

  get hasRecipient(): boolean {
    return (this.#transaction?.recipients.length ?? 0) > 0;
  }

  /** Octets of the message under way, those past the limit included. */
  get bodyBytes(): number {
    return this.#intake?.sizeBytes ?? 0;
  }

  /** Whether a transaction is open whose message has not been handed over. */
  get isInTransaction(): boolean {
    return this.#transaction !== undefined && this.#asked?.kind !== 'message';
  }

  /** Bytes pushed in and not worked off. */
  get waitingBytes(): number {
    return this.#input.waitingBytes;
  }

  /** The engine owns the bytes from here on. */
  push(bytes: Buffer): void {
    this.#input.push(bytes);
  }

  /** Replies since the last call, in order. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  /** Works through the input until something from outside is needed, or it is the turn of others. */
  step(): Step<Resolved> {
    for (let done = 0; done < stepsAtOnce; done++) {
      const step = this.#advance();
      if (step) return step;
    }
    return { kind: 'turn' };
  }

  #advance(): Step<Resolved> | undefined {
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused) return refused;
    switch (this.#phase) {
      case 'command':
        return this.#readCommand();
      case 'body':
        return this.#readBody();
      case 'swallow':
        return this.#readSwallowed();
      case 'closed':
        return { kind: 'close' };
      case 'waiting':
        throw new Error('A step is still to be answered.');
    }
  }

  /** Ends the dialogue with a last reply. */
  close(reply: Reply): undefined {
    const isLost = this.#intake !== undefined && this.#asked?.kind !== 'message' && reply !== replies.bye;
    if (isLost || reply.startsWith('5')) this.#noteRefusal(reply);
    this.#say(reply);
    this.#phase = 'closed';
    this.#input.clear();
    // A message that is being stored is still read: it is released with its answer.
    if (this.#asked?.kind !== 'message') this.#releaseIntake();
  }

  /** Answers a `transaction` step. */
  answerTransaction(answer: Refusal | undefined): void {
    const asked = this.#takeAsked('transaction');
    if (!asked) return;
    if (answer) return this.#say(answer.refusal);
    this.#transaction = new SmtpTransaction(asked.mail, this.#settings);
    this.#say(replies.senderOk);
  }

  /** Answers a `recipient` step: the recipient to deliver to, or the reply that refuses it. */
  answerRecipient(answer: { readonly recipient: Resolved } | Refusal): void {
    const asked = this.#takeAsked('recipient');
    const transaction = this.#transaction;
    if (!asked || !transaction) return;
    if ('refusal' in answer) {
      transaction.noteRefused();
      this.#say(answer.refusal);
      if (isGuess(answer.refusal)) this.#countUnknown();
      return;
    }
    transaction.add(asked.text, answer.recipient);
    this.#say(replies.recipientOk);
  }

  /** Answers a `body` step. A refusal ends the transaction. */
  answerBody(answer: BodyAnswer): void {
    const asked = this.#takeAsked('body');
    if (!asked) return;
    if ('refusal' in answer) {
      this.#noteRefusal(answer.refusal);
      this.#transaction = undefined;
      if (asked.chunk) this.#swallowChunk(asked.chunk.sizeBytes, answer.refusal, false);
      else this.#say(answer.refusal);
      return;
    }
    this.#isChunked = asked.chunk !== undefined;
    const normalizer = this.#takesBareLf ? new LineFeedNormalizer(!this.#isChunked) : undefined;
    this.#intake = new MessageIntake(answer.body, asked.maxBytes, normalizer);
    if (answer.roomBytes !== undefined) this.#intake.boundRoom(answer.roomBytes);
    this.#phase = 'body';
    if (asked.chunk) this.#intake.beginChunk(asked.chunk.sizeBytes, asked.chunk.isLast);
    else this.#say(replies.startData);
  }

  /** Answers a `message` step. The transaction is over, whatever the reply. */
  answerMessage(reply: Reply): void {
    if (this.#takeAsked('message')) this.#endTransaction(reply);
    else this.#releaseIntake();
  }

  /** Answers a `tls` step once the handshake is done: the dialogue begins anew (RFC 3207 §4.2). */
  answerTls(): void {
    if (!this.#takeAsked('tls')) return;
    this.#isSecure = true;
    this.#helo = undefined;
  }

  /** Undefined when the dialogue was closed meanwhile. */
  #takeAsked<Kind extends Asked['kind']>(kind: Kind): Extract<Asked, { kind: Kind }> | undefined {
    if (this.#phase === 'closed') return undefined;
    const asked = this.#asked;
    if (asked?.kind !== kind) throw new Error(`No ${kind} was asked for.`);
    this.#asked = undefined;
    this.#phase = 'command';
    return asked as Extract<Asked, { kind: Kind }>;
  }

  #ask<S extends Step<Resolved>>(asked: Asked, step: S): S {
    this.#asked = asked;
    this.#phase = 'waiting';
    return step;
  }

  #say(reply: Reply): undefined {
    this.#output += reply;
    return undefined;
  }

  /** Refuses a wrong command. Too many of them, and nobody sensible is at the other end. */
  #refuse(reply: Reply): undefined {
    this.#say(reply);
    this.#badCommands += 1;
    if (this.#badCommands >= this.#settings.badCommandsMax) this.close(replies.tooManyErrors);
    return undefined;
  }

  #countUnknown(): void {
    this.#unknownRecipients += 1;
    if (this.#unknownRecipients >= this.#settings.unknownRecipientsMax) this.close(replies.tooManyUnknown);
  }

  #noteRefusal(reply: Reply): void {
    this.#refused ??= this.#transaction?.toRefused(reply, this.#intake?.sizeBytes);
  }

  #releaseIntake(): void {
    this.#intake?.body.release();
    this.#intake = undefined;
  }

  #endTransaction(reply: Reply): undefined {
    if (!reply.startsWith('2')) this.#noteRefusal(reply);
    this.#releaseIntake();
    this.#transaction = undefined;
    this.#phase = 'command';
    return this.#say(reply);
  }

  #readCommand(): Step<Resolved> | undefined {
    const line = this.#input.takeLine(this.#takesBareLf);
    if (!line) return { kind: 'input' };
    this.commandCount += 1;
    if ('text' in line) return this.#command(line.text);
    if (!line.isFatal) return this.#refuse(line.refusal);
    return this.close(line.refusal);
  }

  #command(line: string): Step<Resolved> | undefined {
    const { verb, rest } = splitCommand(line);
    switch (verb) {
      case 'MAIL':
        return this.#mail(rest);
      case 'RCPT':
        return this.#rcpt(rest);
      case 'DATA':
        return this.#data(rest);
      case 'BDAT':
        return this.#bdat(rest);
      case 'EHLO':
      case 'HELO':
        return this.#hello(verb, rest);
      case 'STARTTLS':
        return this.#startTls(rest);
      case 'RSET':
        return rest === '' ? this.#endTransaction(replies.ok) : this.#refuse(replies.badArguments);
      case 'NOOP':
        return this.#say(replies.ok);
      case 'VRFY':
        return rest === '' ? this.#refuse(replies.badArguments) : this.#say(replies.cannotVerify);
      case 'QUIT':
        return this.close(replies.bye);
      default:
        // A web page made a browser say this: what follows may be headers and a body that look like commands.
        if (isHttp(verb, rest)) return this.close(replies.notHttp);
        return this.#refuse(isKnownVerb(verb) ? replies.notImplemented : replies.unrecognised);
    }
  }

  #hello(verb: 'EHLO' | 'HELO', name: string): undefined {
    if (name === '' || name.includes(' ') || name.length > 255) return this.#refuse(replies.badArguments);
    this.#helo = name;
    this.#isExtended = verb === 'EHLO';
    return this.#endTransaction(
      helloReply(
        this.#settings.hostname,
        this.#isExtended ? offeredExtensions(this.#settings, this.#isSecure) : [],
      ),
    );
  }

  #startTls(rest: string): Step<Resolved> | undefined {
    if (this.#isSecure) return this.#refuse(replies.alreadySecure);
    if (!this.#settings.offersTls) return this.#refuse(replies.notImplemented);
    if (rest !== '') return this.#refuse(replies.badArguments);
    this.#say(replies.readyForTls);
    // CVE-2011-0411: what was sent in the clear must not be taken for what comes after the handshake.
    this.#input.clear();
    this.#releaseIntake();
    this.#transaction = undefined;
    return this.#ask({ kind: 'tls' }, { kind: 'tls' });
  }

  #mail(rest: string): Step<Resolved> | undefined {
    if (this.#helo === undefined) return this.#refuse(replies.helloFirst);
    if (this.#transaction) return this.#refuse(replies.nestedMail);
    const mail = parseMail(rest);
    if (typeof mail === 'string') return this.#refuse(mail);
    if ((mail.sizeBytes ?? 0) > this.#settings.messageMaxBytes) return this.#say(replies.tooBig);
    return this.#ask({ kind: 'transaction', mail }, { kind: 'transaction', mailFrom: mail.mailFrom });
  }

  #rcpt(rest: string): Step<Resolved> | undefined {
    const transaction = this.#transaction;
    if (!transaction) return this.#refuse(this.#outOfOrder());
    if (this.#intake) return this.#refuse(replies.chunksUnderWay);
    const rcpt = parseRcpt(rest, transaction.mail.isUtf8);
    if (typeof rcpt === 'string') {
      transaction.noteRefused();
      if (rcpt !== replies.relayDenied) return this.#refuse(rcpt);
      this.#say(rcpt);
      this.#countUnknown();
      return undefined;
    }
    if (!transaction.hasRoomForRecipient()) return this.#say(replies.tooManyRecipients);
    const { address, text } = rcpt;
    return this.#ask({ kind: 'recipient', text }, { kind: 'recipient', address, mail: transaction.mail });
  }

  #outOfOrder(): Reply {
    return this.#helo === undefined ? replies.helloFirst : replies.mailFirst;
  }

  /** Why no message may be sent now; undefined when one may. */
  #bodyOutOfOrder(): Reply | undefined {
    return this.#transaction ? this.#transaction.findRefusal() : this.#outOfOrder();
  }

  #data(rest: string): Step<Resolved> | undefined {
    if (this.#transaction && rest !== '') return this.#refuse(replies.badArguments);
    const outOfOrder = this.#intake ? replies.chunksUnderWay : this.#bodyOutOfOrder();
    if (outOfOrder) return isFault(outOfOrder) ? this.#refuse(outOfOrder) : this.#say(outOfOrder);
    // RFC 2920 §3.1: DATA ends a group. What came with it would be a message the sender cannot know to be wanted.
    if (this.#input.waitingBytes > 0) return this.close(replies.dataTooSoon);
    return this.#askForBody();
  }

  #askForBody(chunk?: { sizeBytes: number; isLast: boolean }): Step<Resolved> {
    const { messageMaxBytes: maxBytes, mail } = this.#transaction as SmtpTransaction<Resolved>;
    return this.#ask({ kind: 'body', maxBytes, chunk }, { kind: 'body', declaredBytes: mail.sizeBytes ?? 0 });
  }

  #bdat(rest: string): Step<Resolved> | undefined {
    const chunk = parseBdat(rest);
    // How many octets follow is not known, or more than anybody would drop: what comes next cannot be commands.
    if (!chunk) return this.close(replies.badArguments);
    if (chunk.sizeBytes > 2 * this.#settings.messageMaxBytes) return this.close(replies.tooBig);
    const outOfOrder = this.#bodyOutOfOrder();
    if (outOfOrder) return this.#swallowChunk(chunk.sizeBytes, outOfOrder, isFault(outOfOrder));
    if (!this.#intake) return this.#askForBody(chunk);
    this.#intake.beginChunk(chunk.sizeBytes, chunk.isLast);
    this.#phase = 'body';
    return undefined;
  }

  /** RFC 3030 §2: the octets of a refused chunk are dropped before it is answered. */
  #swallowChunk(leftBytes: number, reply: Reply, isFault: boolean): undefined {
    this.#swallow = { leftBytes, reply, isFault };
    this.#phase = 'swallow';
  }

  #readSwallowed(): Step<Resolved> | undefined {
    const swallow = this.#swallow;
    this.#input.read((bytes, at) => {
      const taken = Math.min(swallow.leftBytes, bytes.length - at);
      swallow.leftBytes -= taken;
      return at + taken;
    });
    if (swallow.leftBytes > 0) return { kind: 'input' };
    this.#phase = 'command';
    return swallow.isFault ? this.#refuse(swallow.reply) : this.#say(swallow.reply);
  }

  #readBody(): Step<Resolved> | undefined {
    const intake = this.#intake as MessageIntake;
    if (this.#isChunked) return this.#readChunk(intake);
    let isEnd = false;
    this.#input.read((bytes, at) => {
      const endAt = intake.readData(bytes, at);
      isEnd = endAt >= 0;
      return endAt;
    });
    return isEnd ? this.#endMessage(intake) : { kind: 'input' };
  }

  #readChunk(intake: MessageIntake): Step<Resolved> | undefined {
    if (!intake.isChunkComplete) this.#input.read((bytes, at) => intake.readChunk(bytes, at));
    if (!intake.isChunkComplete) return { kind: 'input' };
    const loss = intake.findLoss();
    if (loss) return this.#endTransaction(loss);
    if (intake.isLastChunk) return this.#endMessage(intake);
    this.#phase = 'command';
    return this.#say(chunkTaken(intake.chunkBytes));
  }

  #endMessage(intake: MessageIntake): Step<Resolved> | undefined {
    const refusal = intake.findRefusal();
    if (refusal) return this.#endTransaction(refusal);
    const transaction = this.#transaction as SmtpTransaction<Resolved>;
    const dialogue = { raw: intake.body, helo: this.#helo ?? '', isExtended: this.#isExtended };
    return this.#ask({ kind: 'message' }, { kind: 'message', message: transaction.toMessage(dialogue) });
  }
}
