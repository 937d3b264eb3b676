// The receiving protocol as a pure state machine (RFC 5321): bytes go in, replies come out, and whatever needs the
// outside world (does the recipient exist? is the message stored?) is returned as a step and answered later. No
// sockets, clocks or promises.

import type { Asked, BodyAnswer, Phase, Refusal, RefusedMessage } from './engine-step.ts';
import { type SmtpEngineSettings, type Step, stepsAtOnce } from './engine-step.ts';
import { EarlyRefusals } from './engine/early-refusals.ts';
import { InputBuffer, saslLine, SwallowedChunk } from './engine/input-buffer.ts';
import { createNormalizer } from './line-feed-normalizer.ts';
import { parseMail, parseRcpt } from './parse-path.ts';
import { type Budget, PeerState } from './engine/peer-state.ts';
import { chunkTaken, greeting, isFault, isGuess, replies, type Reply } from './reply.ts';
import type { SaslTurn } from './sasl-exchange.ts';
import { MessageIntake, SmtpTransaction } from './engine/smtp-transaction.ts';
import { isHttp, isKnownVerb, parseBdat, splitCommand } from './engine/split-command.ts';

export class SmtpEngine<Resolved> {
  /** Command lines received so far, valid or not. */
  commandCount = 0;
  readonly early = new EarlyRefusals();
  readonly #settings: SmtpEngineSettings;
  readonly #bareLineFeed: SmtpEngineSettings['bareLineFeed'];
  readonly #peer: PeerState;
  readonly #input = new InputBuffer();
  #output = '';
  #phase: Phase = 'command';
  #transaction: SmtpTransaction<Resolved> | undefined;
  #intake: MessageIntake | undefined;
  #isChunked = false;
  #swallowed: SwallowedChunk | undefined;
  #asked: Asked | undefined;
  /** A refusal that has not been reported yet. */
  #refused: RefusedMessage<Resolved> | undefined;

  constructor(settings: SmtpEngineSettings) {
    this.#settings = settings;
    this.#peer = new PeerState(settings);
    this.#bareLineFeed = settings.bareLineFeed;
    this.#say(greeting(settings.hostname));
  }

  /** Reports whether a message is being received or stored, which a shutdown lets finish. */
  get isReceivingMessage(): boolean {
    return this.#phase !== 'closed' && (this.#intake !== undefined || this.#asked?.kind === 'body');
  }

  get hasRecipient(): boolean {
    return (this.#transaction?.recipients.length ?? 0) > 0;
  }

  /** Octets of the current message, including those past the limit. */
  get bodyBytes(): number {
    return this.#intake?.sizeBytes ?? 0;
  }

  /** Reports whether a transaction is open whose message has not been handed over. */
  get isInTransaction(): boolean {
    return this.#transaction !== undefined && this.#asked?.kind !== 'message';
  }

  /** Input bytes that have not been processed. */
  get waitingBytes(): number {
    return this.#input.waitingBytes;
  }

  /** Takes ownership of the bytes. */
  push(bytes: Buffer): void {
    this.#input.push(bytes);
  }

  /** Returns the replies since the last call, in order. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  /** Processes the input until something is needed from outside, or other connections come first. */
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
      case 'sasl':
        return this.#readSaslAnswer();
      case 'closed':
        return { kind: 'close' };
      case 'waiting':
        throw new Error('The last step has not been answered.');
    }
  }

  /** Ends the dialogue with a last reply. */
  close(reply: Reply): undefined {
    const isLost = this.#intake !== undefined && this.#asked?.kind !== 'message' && reply !== replies.bye;
    if (isLost || reply.startsWith('5')) this.#recordRefusal(reply);
    if (this.#phase !== 'closed') this.early.noteEnd(reply);
    this.#say(reply);
    this.#phase = 'closed';
    this.#input.clear();
    // A message being stored is still read; it is released when answered.
    if (this.#asked?.kind !== 'message') this.#releaseIntake();
  }

  /** Answers a `transaction` step. */
  answerTransaction(answer: Refusal | undefined): void {
    const asked = this.#takeAsked('transaction');
    if (!asked) return;
    if (answer) return this.#say(this.early.note(answer.refusal, asked.mail.mailFrom));
    this.#transaction = new SmtpTransaction(asked.mail, this.#settings);
    this.#say(replies.senderOk);
  }

  /** Answers a `recipient` step with the recipient to deliver to, or the reply that refuses it. */
  answerRecipient(answer: { readonly recipient: Resolved } | Refusal): void {
    const asked = this.#takeAsked('recipient');
    const transaction = this.#transaction;
    if (!asked || !transaction) return;
    if ('refusal' in answer) {
      transaction.recordRefused();
      this.#say(answer.refusal);
      if (isGuess(answer.refusal)) this.#spend('unknownRecipients');
      return;
    }
    transaction.add(asked.text, answer.recipient);
    this.early.serve();
    this.#say(replies.recipientOk);
  }

  /** Answers a `body` step. A refusal ends the transaction. */
  answerBody(answer: BodyAnswer): void {
    const asked = this.#takeAsked('body');
    if (!asked) return;
    if ('refusal' in answer) {
      this.#recordRefusal(answer.refusal);
      this.#transaction = undefined;
      if (!asked.chunk) return this.#say(answer.refusal);
      return this.#swallowChunk(asked.chunk.sizeBytes, answer.refusal, false);
    }
    this.#isChunked = asked.chunk !== undefined;
    const normalizer = createNormalizer(this.#bareLineFeed, !this.#isChunked);
    this.#intake = new MessageIntake(answer.body, asked.bytesMax, normalizer);
    this.#phase = 'body';
    if (asked.chunk) this.#intake.beginChunk(asked.chunk.sizeBytes, asked.chunk.isLast);
    else this.#say(replies.startData);
  }

  /** Answers a `message` step. The transaction is over, whatever the reply. */
  answerMessage(reply: Reply): void {
    if (this.#takeAsked('message')) this.#endTransaction(reply);
    else this.#releaseIntake();
  }

  /** Answers a `tls` step after the handshake: the dialogue starts over. */
  answerTls(): void {
    if (this.#takeAsked('tls')) this.#peer.secure();
  }

  /** Answers an `auth` step. */
  answerAuth(answer: Refusal | undefined): void {
    if (!this.#takeAsked('auth')) return;
    if (this.#input.waitingBytes > 0) return this.close(replies.authTooSoon);
    if (answer) return this.#refuse(answer.refusal);
    this.#peer.authenticate();
    this.#say(replies.authenticated);
  }

  /** Returns undefined when the dialogue was closed meanwhile. */
  #takeAsked<Kind extends Asked['kind']>(kind: Kind): Extract<Asked, { kind: Kind }> | undefined {
    if (this.#phase === 'closed') return undefined;
    const asked = this.#asked;
    if (asked?.kind !== kind) throw new Error(`No ${kind} step is awaiting an answer.`);
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

  /** Refuses a wrong command, and ends the dialogue after too many. */
  #refuse(reply: Reply): undefined {
    this.#say(this.hasRecipient ? reply : this.early.note(reply));
    return this.#spend('badCommands');
  }

  #spend(budget: Budget): undefined {
    const end = this.#peer.spend(budget);
    return end && this.close(end);
  }

  #recordRefusal(reply: Reply): void {
    this.#refused ??= this.#transaction?.toRefused(reply, this.#intake?.sizeBytes);
  }

  #releaseIntake(): void {
    this.#intake?.body.release();
    this.#intake = undefined;
  }

  #endTransaction(reply: Reply): undefined {
    if (!reply.startsWith('2')) this.#recordRefusal(reply);
    this.#releaseIntake();
    this.#transaction = undefined;
    this.#phase = 'command';
    return this.#say(reply);
  }

  #endOrRefuse(reply: Reply | undefined): undefined {
    return reply ? this.#endTransaction(reply) : this.#refuse(replies.badArguments);
  }

  #readCommand(): Step<Resolved> | undefined {
    const line = this.#input.takeLine(this.#bareLineFeed !== 'refuse');
    if (!line) return { kind: 'input' };
    this.commandCount += 1;
    if ('text' in line) return this.#command(line.text);
    this.early.begin('', '');
    return line.isFatal ? this.close(line.refusal) : this.#refuse(line.refusal);
  }

  #command(line: string): Step<Resolved> | undefined {
    const { verb, rest } = splitCommand(line);
    this.early.begin(verb, rest);
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
        return this.#endOrRefuse(this.#peer.greet(verb, rest));
      case 'STARTTLS':
        return this.#startTls(rest);
      case 'AUTH':
        return this.#followSasl(this.#peer.beginAuth(rest, this.#transaction !== undefined));
      case 'RSET':
        return this.#endOrRefuse(rest === '' ? replies.ok : undefined);
      case 'NOOP':
        return this.#say(replies.ok);
      case 'VRFY':
        return rest === '' ? this.#refuse(replies.badArguments) : this.#say(replies.cannotVerify);
      case 'QUIT':
        return this.close(replies.bye);
      default:
        // A web page made a browser send this: the headers and body that follow could contain commands.
        if (isHttp(verb, rest)) return this.close(replies.notHttp);
        return this.#refuse(isKnownVerb(verb) ? replies.notImplemented : replies.unrecognised);
    }
  }

  #startTls(rest: string): Step<Resolved> | undefined {
    if (this.#peer.isSecure) return this.#refuse(replies.alreadySecure);
    if (!this.#settings.offersTls) return this.#refuse(replies.notImplemented);
    if (rest !== '') return this.#refuse(replies.badArguments);
    this.#say(replies.readyForTls);
    // CVE-2011-0411: plain-text input must not be executed after the handshake.
    this.#input.clear();
    this.#releaseIntake();
    this.#transaction = undefined;
    return this.#ask({ kind: 'tls' }, { kind: 'tls' });
  }

  /** AUTH ends a pipelined group (RFC 2920 §3.1): earlier input is neither its answer nor a command. */
  #followSasl(turn: SaslTurn): Step<Resolved> | undefined {
    this.#phase = 'command';
    if ('end' in turn) return this.close(turn.end);
    if (this.#settings.offersAuth && this.#input.waitingBytes > 0) return this.close(replies.authTooSoon);
    if ('refusal' in turn) return this.#refuse(turn.refusal);
    if ('credentials' in turn) return this.#ask({ kind: 'auth' }, { kind: 'auth', ...turn.credentials });
    this.#phase = 'sasl';
    return this.#say(turn.challenge);
  }

  #readSaslAnswer(): Step<Resolved> | undefined {
    const line = this.#input.takeLine(this.#bareLineFeed !== 'refuse', saslLine);
    if (!line) return { kind: 'input' };
    this.commandCount += 1;
    return this.#followSasl(this.#peer.continueAuth(line));
  }

  #mail(rest: string): Step<Resolved> | undefined {
    if (this.#peer.helo === undefined) return this.#refuse(replies.helloFirst);
    if (this.#transaction) return this.#refuse(replies.nestedMail);
    const mail = parseMail(rest);
    if (typeof mail === 'string') return this.#refuse(mail);
    const isTooBig = (mail.sizeBytes ?? 0) > this.#settings.messageMaxBytes;
    if (isTooBig) return this.#say(this.early.note(replies.tooBig, mail.mailFrom));
    return this.#ask({ kind: 'transaction', mail }, { kind: 'transaction', mailFrom: mail.mailFrom });
  }

  #rcpt(rest: string): Step<Resolved> | undefined {
    const transaction = this.#transaction;
    if (!transaction) return this.#refuse(this.#peer.missing);
    if (this.#intake) return this.#refuse(replies.chunksUnderWay);
    const rcpt = parseRcpt(rest, transaction.mail.isUtf8);
    if (typeof rcpt === 'string') {
      transaction.recordRefused();
      if (rcpt !== replies.relayDenied) return this.#refuse(rcpt);
      this.#say(this.early.note(rcpt));
      return this.#spend('unknownRecipients');
    }
    if (!transaction.hasRoomForRecipient()) return this.#say(replies.tooManyRecipients);
    const { address, text } = rcpt;
    return this.#ask({ kind: 'recipient', text }, { kind: 'recipient', address, mail: transaction.mail });
  }

  /** Returns why no message may be sent now; undefined when one may. */
  #bodyOutOfOrder(): Reply | undefined {
    return this.#transaction ? this.#transaction.findRefusal() : this.#peer.missing;
  }

  #data(rest: string): Step<Resolved> | undefined {
    if (this.#transaction && rest !== '') return this.#refuse(replies.badArguments);
    const outOfOrder = this.#intake ? replies.chunksUnderWay : this.#bodyOutOfOrder();
    if (outOfOrder) return isFault(outOfOrder) ? this.#refuse(outOfOrder) : this.#say(outOfOrder);
    // DATA ends a pipelined group (RFC 2920 §3.1): the sender cannot know yet that DATA is accepted.
    if (this.#input.waitingBytes > 0) return this.close(replies.dataTooSoon);
    return this.#askForBody();
  }

  #askForBody(chunk?: { sizeBytes: number; isLast: boolean }): Step<Resolved> {
    const { messageMaxBytes: bytesMax, mail } = this.#transaction as SmtpTransaction<Resolved>;
    return this.#ask({ kind: 'body', bytesMax, chunk }, { kind: 'body', declaredBytes: mail.sizeBytes ?? 0 });
  }

  #bdat(rest: string): Step<Resolved> | undefined {
    const chunk = parseBdat(rest);
    // The number of octets to discard is unknown or unreasonable: what follows cannot be read as commands.
    const isTooBig = chunk && chunk.sizeBytes > 2 * this.#settings.messageMaxBytes;
    if (!chunk || isTooBig) return this.close(isTooBig ? replies.tooBig : replies.badArguments);
    const outOfOrder = this.#bodyOutOfOrder();
    if (outOfOrder) return this.#swallowChunk(chunk.sizeBytes, outOfOrder, isFault(outOfOrder));
    if (!this.#intake) return this.#askForBody(chunk);
    this.#intake.beginChunk(chunk.sizeBytes, chunk.isLast);
    this.#phase = 'body';
    return undefined;
  }

  #swallowChunk(sizeBytes: number, reply: Reply, isFault: boolean): undefined {
    this.#swallowed = new SwallowedChunk(sizeBytes, reply, isFault);
    this.#phase = 'swallow';
  }

  #readSwallowed(): Step<Resolved> | undefined {
    const swallowed = this.#swallowed as SwallowedChunk;
    if (!swallowed.read(this.#input)) return { kind: 'input' };
    this.#phase = 'command';
    return swallowed.isFault ? this.#refuse(swallowed.reply) : this.#say(swallowed.reply);
  }

  #readBody(): Step<Resolved> | undefined {
    const intake = this.#intake as MessageIntake;
    if (this.#isChunked) return this.#readChunk(intake);
    return intake.readDataFrom(this.#input) ? this.#endMessage(intake) : { kind: 'input' };
  }

  #readChunk(intake: MessageIntake): Step<Resolved> | undefined {
    if (!intake.readChunkFrom(this.#input)) return { kind: 'input' };
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
    const dialogue = { raw: intake.body, helo: this.#peer.helo ?? '', isExtended: this.#peer.isExtended };
    return this.#ask({ kind: 'message' }, { kind: 'message', message: transaction.toMessage(dialogue) });
  }
}
