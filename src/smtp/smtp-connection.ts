// One SMTP connection: moves bytes between a socket and the engine, and answers the engine's questions from the
// services. Made by smtp-server.ts. Owns the socket and its timers; ends with the socket's `close`.

import type { Socket } from 'node:net';

import type { MessageSource } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import type { Logger } from '../observe/logger.ts';
import { endSocket } from './end-socket.ts';
import type { MailReceiver } from './mail-receiver.ts';
import { accepted, replies, type Reply } from './reply.ts';
import { type EngineMessage, SmtpEngine, type SmtpEngineSettings, type Step } from './smtp-engine.ts';

/** Bytes that may wait while the engine does: the sender is held back by TCP beyond that. */
const waitingInputMaxBytes = 256 * 1024;
/** Replies that may wait for a sender that does not read them: no more commands are taken from it meanwhile. */
const waitingOutputMaxBytes = 64 * 1024;

export interface SmtpConnectionOptions {
  readonly socket: Socket;
  readonly id: string;
  readonly settings: SmtpEngineSettings & { readonly idleTimeoutSeconds: number };
  readonly receiver: MailReceiver;
  readonly log: Logger;
  /** Told +1 when a transaction begins and -1 when its message is handed over or it ends otherwise. */
  readonly onIncoming: (change: 1 | -1) => void;
}

export class SmtpConnection {
  readonly #options: SmtpConnectionOptions;
  readonly #engine: SmtpEngine<Session>;
  readonly #remoteAddress: string;
  #isDriving = false;
  #isStopping = false;
  #hasInputEnded = false;
  #isFinished = false;
  #isCounted = false;

  constructor(options: SmtpConnectionOptions) {
    this.#options = options;
    this.#engine = new SmtpEngine(options.settings);
    const { socket } = options;
    this.#remoteAddress = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    // Replies are small and each is waited for: Nagle would hold them back for the sender's delayed ACK.
    socket.setNoDelay(true);
    socket.setTimeout(options.settings.idleTimeoutSeconds * 1000);
    socket.on('timeout', () => {
      // While the engine waits for an answer the silence is ours: a sender told 421 would send its message again.
      if (!this.#isDriving) this.#end(replies.timeout);
    });
    socket.on('data', (bytes) => {
      this.#receive(bytes);
    });
    socket.on('drain', () => {
      this.#regulate();
    });
    // Half open until everything asked has been answered: a sender may close its side first.
    socket.on('end', () => {
      this.#hasInputEnded = true;
      if (!this.#isDriving) this.#finish();
    });
    socket.on('close', () => {
      this.#isFinished = true;
      this.#count();
    });
    socket.on('error', (error) => {
      options.log.debug('smtp.socket_error', { connection: options.id, error: error.message });
    });
    this.#flush();
  }

  /** Ends the dialogue with 421, at once or when the message that is under way has its answer. */
  stop(): void {
    this.#isStopping = true;
    if (!this.#engine.isTakingMessage && !this.#isDriving) this.#end(replies.shuttingDown);
  }

  destroy(): void {
    this.#options.socket.destroy();
  }

  #receive(bytes: Buffer): void {
    if (this.#isFinished) return;
    this.#engine.push(bytes);
    if (this.#isDriving) {
      this.#regulate();
      return;
    }
    this.#drive().catch((error: unknown) => {
      this.#options.log.error('smtp.connection_failed', { connection: this.#options.id, error });
      this.#end(replies.localError);
    });
  }

  async #drive(): Promise<void> {
    this.#isDriving = true;
    try {
      for (;;) {
        const step = this.#engine.step();
        this.#count();
        if (step.kind === 'input' || step.kind === 'close') {
          this.#settle(step.kind);
          return;
        }
        await this.#answer(step);
      }
    } finally {
      this.#isDriving = false;
    }
  }

  #settle(kind: 'input' | 'close'): void {
    if (kind === 'close' || this.#hasInputEnded) {
      this.#finish();
    } else if (this.#isStopping && !this.#engine.isTakingMessage) {
      this.#end(replies.shuttingDown);
    } else {
      this.#flush();
    }
  }

  async #answer(step: Exclude<Step<Session>, { kind: 'input' | 'close' }>): Promise<void> {
    if (step.kind === 'recipient') {
      const answer = await this.#resolve(step);
      this.#engine.answerRecipient(answer);
    } else {
      // Replies to what came before go out first: the commit may take a while.
      this.#flush();
      const reply = await this.#store(step.message);
      this.#engine.answerMessage(reply);
    }
    this.#regulate();
  }

  /** Takes nothing more from a sender that is too far ahead of our answers or too far behind in reading them. */
  #regulate(): void {
    if (this.#isFinished) return;
    const { socket } = this.#options;
    const isHeldBack =
      this.#engine.waitingBytes > waitingInputMaxBytes || socket.writableLength > waitingOutputMaxBytes;
    if (isHeldBack) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  async #resolve(
    step: Extract<Step<Session>, { kind: 'recipient' }>,
  ): Promise<{ recipient: Session } | { refusal: Reply }> {
    try {
      const resolution = await this.#options.receiver.resolveRecipient(step.address);
      switch (resolution.outcome) {
        case 'accepted':
          return { recipient: resolution.session };
        case 'foreign':
          return { refusal: replies.relayDenied };
        case 'unknown':
          return { refusal: replies.unknownRecipient };
        case 'full':
          return { refusal: replies.recipientFull };
      }
    } catch (error) {
      this.#options.log.error('smtp.recipient_failed', { connection: this.#options.id, error });
      return { refusal: replies.localError };
    }
  }

  async #store(message: EngineMessage<Session>): Promise<Reply> {
    const { id, log, receiver } = this.#options;
    const { mailFrom, rcptTo, raw, recipients } = message;
    try {
      const incoming = { envelope: { mailFrom, rcptTo: [...rcptTo] }, raw, source: this.#source(message) };
      const { outcome, ingestId } = await receiver.receiveMessage(incoming, recipients);
      log.debug('smtp.message', { connection: id, message: ingestId, outcome, bytes: raw.sizeBytes });
      if (outcome === 'stored') return accepted(ingestId);
      return outcome === 'full' ? replies.recipientFull : replies.unknownRecipient;
    } catch (error) {
      log.error('smtp.message_failed', { connection: id, error });
      return (error as { code?: unknown }).code === 'SQLITE_FULL' ? replies.storageFull : replies.localError;
    }
  }

  #source({ helo, isExtended, isUtf8 }: EngineMessage<Session>): MessageSource {
    const protocol = !isExtended ? 'SMTP' : isUtf8 ? 'UTF8SMTP' : 'ESMTP';
    return { protocol, remoteAddress: this.#remoteAddress, helo, tls: null };
  }

  /** Messages being sent now are deliveries to come: see SmtpServerOptions.onIncoming. */
  #count(): void {
    const isIncoming = !this.#isFinished && this.#engine.isInTransaction;
    if (isIncoming === this.#isCounted) return;
    this.#isCounted = isIncoming;
    this.#options.onIncoming(isIncoming ? 1 : -1);
  }

  #flush(): void {
    const output = this.#engine.takeOutput();
    if (output === '' || !this.#options.socket.writable) return;
    if (!this.#options.socket.write(output, 'latin1')) this.#regulate();
  }

  #end(reply: Reply): void {
    if (this.#isFinished) return;
    this.#engine.close(reply);
    this.#finish();
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#count();
    this.#flush();
    endSocket(this.#options.socket);
  }
}
