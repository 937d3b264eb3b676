// Answers the engine's steps for one connection by calling the services and the admission. Made by smtp-server.ts.
// It only turns outcomes and errors into replies.

import type { Address } from '#mail-receiver/address';
import type {
  BodyAnswer,
  EngineMessage,
  Refusal,
  RefusalStage,
  RefusedMessage,
  Step,
} from '#mail-receiver/engine-step';
import { MessageBuffer, type Room, type Spill } from '#mail-receiver/message-buffer';
import type { MailCommand } from '#mail-receiver/parse-path';
import { accepted, nameOf, replies, type Reply } from '#mail-receiver/reply';
import type { SaslLogin } from '#mail-receiver/sasl-exchange';
import type { Admission, Peer } from '#smtp-listener/admission';
import type { Answered, Answers } from '#smtp-listener/listener-parts';
import type { MessageTrace } from '#smtp-listener/message-trace';
import type { Logger } from '#telemetry/logger';
import type { MessageSource, SmtpLoginName } from '../domain/message.ts';
import { isRefusedWrite } from '../domain/refused-write.ts';
import { refusalOf } from '../service/receiving/receive-message.ts';
import type { Recipient } from '../service/session/recipient.ts';
import { ConnectionFaults, type FaultAnswer } from './connection-faults.ts';
import type { MailReceiver } from './mail-receiver.ts';
import type { SmtpCounts } from './smtp-counts.ts';

export interface AnswersParts {
  readonly admission: Admission;
  readonly receiver: MailReceiver;
  /** Where large messages are kept while they arrive. */
  readonly spill: Spill;
  readonly log: Logger;
  /** For events that strangers can cause at any rate. */
  readonly sampledLog: Pick<Logger, 'info' | 'warn'>;
  readonly counts: SmtpCounts;
}

export class ConnectionAnswers implements Answers<Recipient>, Room {
  readonly #parts: AnswersParts;
  readonly #peer: Peer;
  readonly #trace: MessageTrace | undefined;
  readonly #faults: ConnectionFaults;
  #reservedBytes = 0;
  /** The name that the peer last gave, valid or not. */
  #helo = '';
  /** The capture session that the connection authenticated as. */
  #login: SmtpLoginName | undefined;

  constructor(parts: AnswersParts, peer: Peer) {
    this.#parts = parts;
    this.#peer = peer;
    this.#trace = parts.counts.createTrace(peer.id);
    this.#faults = new ConnectionFaults(parts.receiver);
  }

  get remoteAddress(): string {
    return this.#peer.remoteAddress;
  }

  /** Called after each step: records what the engine refused before a recipient was accepted. */
  follow(early: Parameters<Answers<Recipient>['follow']>[0]): void {
    this.#helo = early.helo;
    for (const { stage, reply, mailFrom } of early.take()) {
      this.#parts.counts.recordCommandRefused(stage, reply);
      // A message that is refused at MAIL is refused; a command out of order says nothing of one.
      if (stage === 'mail' && !reply.startsWith('503')) this.#parts.counts.recordRefused(reply);
      if (reply === replies.badRecipient) this.#parts.counts.recordRecipient('invalid');
      if (reply === replies.relayDenied) this.#parts.counts.recordRecipient('foreign');
      this.#recordEarly(stage, nameOf(reply), mailFrom);
    }
  }

  #recordEarly(stage: RefusalStage, cause: string, mailFrom?: string | null): void {
    const { remoteAddress } = this.#peer;
    this.#parts.receiver.recordEarlyRefusal({ stage, cause, remoteAddress, helo: this.#helo, mailFrom });
  }

  recordHandshake(outcome: 'done' | 'failed'): void {
    this.#parts.counts.recordHandshake(outcome);
    if (outcome === 'failed') this.#recordEarly('tls', 'handshake_failed');
  }

  async authenticate({ username, password }: SaslLogin): Promise<Refusal | undefined> {
    const { receiver, counts, log } = this.#parts;
    try {
      const { network } = this.#peer;
      const answer = await receiver.authenticateSmtp({ username, password, network });
      counts.recordAuthentication(typeof answer === 'string' ? answer : 'accepted');
      if (answer === 'wrong') return { refusal: replies.wrongCredentials };
      if (answer === 'limited') return { refusal: replies.tooManyWrongCredentials };
      const refusal = await this.#faults.atAuth(answer.key);
      if (refusal) return refusal;
      this.#login = { name: username, session: answer.key };
      return undefined;
    } catch (error) {
      counts.recordAuthentication('failed');
      log.error('smtp.authentication_failed', { connection: this.#peer.id, error });
      return { refusal: replies.authFailed };
    }
  }

  /** Called when the dialogue starts over. */
  clearCredentials(): void {
    this.#login = undefined;
  }

  /** The planned faults of this connection, and how they end it. */
  get faults(): Pick<ConnectionFaults, 'end' | 'hurry' | 'abandon'> {
    return this.#faults;
  }

  admitTransaction(mailFrom: string | null): Refusal | FaultAnswer {
    const { admission, receiver } = this.#parts;
    const { network, isLocal, remoteAddress } = this.#peer;
    const tooOften = isLocal ? undefined : admission.admitTransaction(network);
    // The network may have been blocked since it connected.
    const refusal = receiver.isNetworkBlocked(remoteAddress)
      ? replies.blockedNetwork
      : receiver.isSenderBlocked(mailFrom)
        ? replies.blockedSender
        : tooOften;
    if (!refusal) this.#trace?.begin();
    return refusal ? { refusal } : this.#faults.atMail(mailFrom, this.#login?.session);
  }

  /** Returns a promise when the answer is not immediate. */
  answerTransaction(engine: Answered<Recipient>, mailFrom: string | null): Promise<void> | undefined {
    const answer = this.admitTransaction(mailFrom);
    if (!(answer instanceof Promise)) return void engine.answerTransaction(answer);
    return answer.then((late) => {
      engine.answerTransaction(late);
    });
  }

  /** Like `answerTransaction`. */
  answerBody(engine: Answered<Recipient>, declaredBytes: number): Promise<void> | undefined {
    const answer = this.admitBody(declaredBytes);
    if (!(answer instanceof Promise)) return void engine.answerBody(answer);
    return answer.then((late) => {
      engine.answerBody(late);
    });
  }

  /** @param declaredBytes 0 when the sender declared no size */
  admitBody(declaredBytes: number): BodyAnswer | Promise<BodyAnswer> {
    const fault = this.#faults.atMessage('data');
    if (!fault) return this.#takeBody(declaredBytes);
    return fault.then((refusal) => refusal ?? this.#takeBody(declaredBytes));
  }

  #takeBody(declaredBytes: number): BodyAnswer {
    const refusal = this.#parts.admission.admitMessage(declaredBytes, this.#peer.place);
    if (refusal) return { refusal };
    this.#trace?.beginBody();
    return { body: new MessageBuffer(this.#parts.spill, this) };
  }

  /** Implements `Room` for the message's buffer. */
  take(bytes: number): boolean {
    if (this.#parts.admission.reserve(bytes, this.#peer.place, this.#reservedBytes)) return false;
    this.#reservedBytes += bytes;
    return true;
  }

  release(): void {
    if (this.#reservedBytes > 0) this.#parts.admission.release(this.#reservedBytes, this.#peer.place);
    this.#reservedBytes = 0;
  }

  /** @param tls version and cipher; null for a plain connection */
  async resolve(
    { address, mail }: Extract<Step<Recipient>, { kind: 'recipient' }>,
    tls: string | null,
  ): Promise<{ recipient: Recipient } | Refusal> {
    const { admission, counts, receiver } = this.#parts;
    const tooMany = admission.admitRecipient(this.#peer.place);
    if (tooMany) {
      counts.recordRecipient('limited');
      this.#recordEarly('rcpt', nameOf(tooMany), mail.mailFrom);
      return { refusal: tooMany };
    }
    try {
      const resolution = await receiver.resolveRecipient(address, {
        sizeBytes: mail.sizeBytes,
        captureSession: this.#login?.session,
      });
      counts.recordRecipient(resolution.outcome);
      switch (resolution.outcome) {
        case 'accepted': {
          const { recipient } = resolution;
          const fault = this.#faults.atRecipient(recipient, address);
          const refused = fault && (await fault);
          if (refused) return this.#refuseAtRcpt(recipient, { reply: refused.refusal, mail }, tls);
          this.#faults.recordRecipient(recipient, address);
          return { recipient };
        }
        case 'foreign':
          return this.#refuseUnknown(address, mail, { tls, reply: replies.relayDenied, isForeign: true });
        case 'unknown':
          admission.recordUnknownRecipient(this.#peer.place);
          return this.#refuseUnknown(address, mail, {
            tls,
            reply: replies.unknownRecipient,
            isForeign: false,
          });
        case 'full':
          return this.#refuseAtRcpt(resolution.recipient, { reply: replies.recipientFull, mail }, tls);
      }
    } catch (error) {
      counts.recordRecipient('failed');
      this.#parts.log.error('smtp.recipient_failed', { connection: this.#peer.id, error });
      return { refusal: replies.localError };
    }
  }

  #refuseUnknown(
    address: Address,
    { mailFrom }: MailCommand,
    {
      tls,
      reply,
      isForeign,
    }: { readonly tls: string | null; readonly reply: Reply; readonly isForeign: boolean },
  ): Refusal {
    const peer = { ...this.#host(tls), mailFrom };
    this.#parts.receiver.recordUnknownRecipient(address, reply.trimEnd(), isForeign, peer);
    return { refusal: reply };
  }

  #host(tls: string | null) {
    const { remoteAddress, id: connection } = this.#peer;
    return { remoteAddress, connection, helo: this.#helo, tls };
  }

  #refuseAtRcpt(
    recipient: Recipient,
    { reply, mail }: { readonly reply: Reply; readonly mail: MailCommand },
    tls: string | null,
  ): Refusal {
    const { mailFrom, sizeBytes = null } = mail;
    this.#log({ recipients: [recipient], mailFrom, reply, sizeBytes }, tls);
    return { refusal: reply };
  }

  /**
   * Records a message that was delivered to no recipient.
   * @param tls version and cipher; null for a plain connection
   */
  refuse(refused: RefusedMessage<Recipient>, tls: string | null): void {
    this.#parts.counts.recordRefused(refused.reply);
    this.#trace?.end(refused);
    this.#log(refused, tls);
  }

  #log(refused: Omit<RefusedMessage<Recipient>, 'kind'>, tls: string | null): void {
    const { recipients, mailFrom, reply, sizeBytes } = refused;
    const attempt = { reply: reply.trimEnd(), sizeBytes, mailFrom, ...this.#host(tls) };
    this.#parts.receiver.recordRefusal(recipients, attempt);
  }

  /**
   * Stores the message. The engine records a refused one for all recipients.
   * @param tls version and cipher; null for a plain connection
   */
  store(message: EngineMessage<Recipient>, tls: string | null): Promise<Reply> {
    const fault = this.#faults.atMessage('end_of_data');
    if (!fault) return this.#store(message, tls);
    return fault.then((refused) => refused?.refusal ?? this.#store(message, tls));
  }

  async #store(message: EngineMessage<Recipient>, tls: string | null): Promise<Reply> {
    const { log, sampledLog, receiver, counts } = this.#parts;
    const { id } = this.#peer;
    const { mailFrom, rcptTo, raw, recipients } = message;
    const { sizeBytes } = raw;
    let reply: Reply;
    let ingestId: string | undefined;
    this.#trace?.endBody();
    try {
      const incoming = {
        envelope: { mailFrom, rcptTo: [...rcptTo] },
        raw,
        source: this.#source(message, tls),
        login: this.#login,
        stages: this.#trace,
      };
      const result = await receiver.receiveMessage(incoming, recipients);
      const { outcome, ended } = result;
      ingestId = result.ingestId;
      reply = refusalOf(outcome) ?? accepted(ingestId);
      log.debug('smtp.message', { connection: id, message: ingestId, outcome, bytes: sizeBytes });
      if (ended > 0) log.info('smtp.recipients_ended', { connection: id, message: ingestId, count: ended });
      if (outcome === 'stored') counts.recordStored(sizeBytes);
    } catch (error) {
      reply = isRefusedWrite(error) ? replies.storageFull : replies.localError;
      if (reply === replies.storageFull) sampledLog.warn('smtp.storage_refused', { connection: id });
      else log.error('smtp.message_failed', { connection: id, error });
    }
    this.#trace?.end({ reply, ingestId, sizeBytes });
    return reply;
  }

  /** Protocol names as registered by RFC 3848 and RFC 6531 §4.3. */
  #source({ helo, isExtended, isUtf8 }: EngineMessage<Recipient>, tls: string | null): MessageSource {
    const { remoteAddress, id: connection } = this.#peer;
    if (!isExtended) return { protocol: 'SMTP', remoteAddress, helo, tls, connection };
    const name = isUtf8 ? 'UTF8SMTP' : 'ESMTP';
    const secure = tls === null ? name : (`${name}S` as const);
    const protocol = this.#login ? (`${secure}A` as const) : secure;
    return { protocol, remoteAddress, helo, tls, connection };
  }
}
