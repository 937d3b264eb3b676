// One SMTP connection: moves bytes between a socket and the engine, and has the engine's questions answered. Made by
// smtp-server.ts, which also tells it the time. Owns the socket; ends with the socket's `close`.

import type { Socket } from 'node:net';

import { normaliseAddress, toClientNetwork } from '../net/client-network.ts';
import type { Recipient } from '../service/resolve-recipient.ts';
import { ConnectionAnswers } from './connection-answers.ts';
import { closeSocket, endSocket } from './end-socket.ts';
import { type EngineMessage, stepsAtOnce } from './engine-step.ts';
import { parseProxyHeader } from './proxy-header.ts';
import { replies, type Reply } from './reply.ts';
import type { SharedParts } from './shared-parts.ts';
import { SmtpEngine } from './smtp-engine.ts';
import { startTls } from './start-tls.ts';

/** Bytes that may wait while the engine does, and replies while the sender does not read: TCP holds it back then. */
const waitingInputMaxBytes = 256 * 1024;
const waitingOutputMaxBytes = 64 * 1024;
/** How long a sender has to show that it does not wait for the greeting: its bytes are right behind the handshake then. */
const greetingDelayMs = 2;
/** A dialogue without a message, and a message, take no longer, however busily they trickle. */
const commandsMaxMs = 10 * 60_000;
const bodyMaxMs = 30 * 60_000;
/** A handshake is a few packets. */
const handshakeMaxMs = 30_000;
/** Idle senders go sooner when most connections are used. */
const crowdedIdleMs = 30_000;

export interface AcceptedSocket {
  readonly socket: Socket;
  readonly id: string;
  /** Whether the peer is a load balancer that begins with a PROXY header. */
  readonly expectsProxyHeader: boolean;
}

export class SmtpConnection {
  readonly #shared: SharedParts;
  readonly #id: string;
  #socket: Socket;
  #stage: 'proxy' | 'greeting' | 'open' | 'finished';
  #proxyHeader: Buffer = Buffer.alloc(0);
  #engine: SmtpEngine<Recipient> | undefined;
  #answers: ConnectionAnswers | undefined;
  /** What the connection counts as in the admission, once it does. */
  #network: string | undefined;
  #tls: string | null = null;
  #isDriving = false;
  /** Taken since it was given something to work on. */
  #steps = 0;
  /** While it drives: the sender has been given enough, and others have their turn. */
  #isGivingWay = false;
  #isStopping = false;
  #hasInputEnded = false;
  #isCounted = false;
  #activeAt = performance.now();
  #progressAt = this.#activeAt;
  /** Set during the TLS handshake: the one wait of the engine that hangs on the sender. */
  #handshakeUntil: number | undefined;

  // What is shared comes as it is: in Node 20 an object that is spread and added to costs more than greeting its sender.
  constructor(shared: SharedParts, { socket, id, expectsProxyHeader }: AcceptedSocket) {
    this.#shared = shared;
    this.#id = id;
    this.#socket = socket;
    // Replies are small and each is waited for: Nagle would hold them back for the sender's delayed ACK.
    this.#socket.setNoDelay(true);
    this.#stage = expectsProxyHeader ? 'proxy' : 'greeting';
    this.#listen(this.#socket);
    if (this.#stage === 'greeting') this.#enter(this.#socket.remoteAddress ?? '');
  }

  /** Ends the dialogue with 421, at once or when the message that is under way has its answer. */
  stop(): void {
    this.#isStopping = true;
    if (!this.#engine?.isTakingMessage && !this.#isAtWork) this.#end(replies.shuttingDown);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends what has been silent, or busy without end, for too long. `now`: performance.now(). */
  checkTime(now: number): void {
    if (this.#handshakeUntil !== undefined) {
      if (now > this.#handshakeUntil) this.destroy();
      return;
    }
    // While the engine waits for an answer the silence is ours: a sender told 421 would send its message again.
    if (this.#isAtWork || this.#stage === 'finished') return;
    const { settings, admission } = this.#shared;
    const usualIdleMs = settings.idleTimeoutSeconds * 1000;
    const idleMaxMs = admission.isCrowded ? Math.min(usualIdleMs, crowdedIdleMs) : usualIdleMs;
    const totalMaxMs = this.#engine?.isTakingMessage ? bodyMaxMs : commandsMaxMs;
    if (now - this.#activeAt > idleMaxMs || now - this.#progressAt > totalMaxMs) this.#end(replies.timeout);
  }

  /** Whether the sender waits for us. */
  get #isAtWork(): boolean {
    return this.#isDriving && !this.#isGivingWay;
  }

  #listen(socket: Socket): void {
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
      this.#leave();
    });
    socket.on('error', (error) => {
      this.#shared.log.debug('smtp.socket_error', { connection: this.#id, error: error.message });
    });
  }

  /** Begins the dialogue with the sender at this address, unless it is refused. */
  #enter(address: string): void {
    const { admission, receiver, settings, sampledLog, counts } = this.#shared;
    const id = this.#id;
    const remoteAddress = normaliseAddress(address);
    const network = toClientNetwork(remoteAddress);
    const isBlocked = receiver.isNetworkBlocked?.(remoteAddress) ?? false;
    const refusal = isBlocked ? replies.blockedNetwork : admission.enter(network);
    if (refusal) {
      this.#stage = 'finished';
      counts.noteConnectionRefused(refusal);
      const reply = refusal.trimEnd();
      sampledLog.info('smtp.connection_refused', { connection: id, remoteAddress, reply });
      endSocket(this.#socket, refusal);
      return;
    }
    counts.noteConnection();
    this.#network = network;
    this.#answers = new ConnectionAnswers(this.#shared, { id, remoteAddress, network });
    this.#engine = new SmtpEngine(settings);
    this.#stage = 'greeting';
    // What has come by then is read first, however late the timer is.
    setTimeout(() => {
      setImmediate(() => {
        this.#greet();
      });
    }, greetingDelayMs);
  }

  #greet(): void {
    if (this.#stage !== 'greeting') return;
    this.#stage = 'open';
    this.#flush();
    if (this.#isStopping) this.#end(replies.shuttingDown);
  }

  #receive(bytes: Buffer): void {
    this.#activeAt = performance.now();
    switch (this.#stage) {
      case 'open':
        this.#engine?.push(bytes);
        if (this.#isDriving) this.#regulate();
        else this.#startDriving();
        return;
      case 'proxy':
        this.#receiveProxyHeader(bytes);
        return;
      case 'greeting':
        this.#shared.counts.noteConnectionRefused(replies.spokeTooSoon);
        this.#shared.sampledLog.info('smtp.spoke_too_soon', { connection: this.#id });
        this.#stage = 'finished';
        endSocket(this.#socket, replies.spokeTooSoon);
        return;
      case 'finished':
    }
  }

  #receiveProxyHeader(bytes: Buffer): void {
    this.#proxyHeader = Buffer.concat([this.#proxyHeader, bytes]);
    const header = parseProxyHeader(this.#proxyHeader);
    if (header.state === 'partial') return;
    if (header.state === 'invalid') {
      this.#shared.counts.noteConnectionRefused(replies.badProxyHeader);
      this.#shared.sampledLog.warn('smtp.bad_proxy_header', { connection: this.#id });
      this.#stage = 'finished';
      endSocket(this.#socket, replies.badProxyHeader);
      return;
    }
    this.#stage = 'greeting';
    this.#enter(header.sourceAddress ?? this.#socket.remoteAddress ?? '');
    const rest = this.#proxyHeader.subarray(header.bytes);
    this.#proxyHeader = Buffer.alloc(0);
    if (rest.length > 0) this.#receive(rest);
  }

  #startDriving(): void {
    const engine = this.#engine;
    const answers = this.#answers;
    if (!engine || !answers) return;
    this.#isDriving = true;
    this.#steps = 0;
    this.#drive(engine, answers);
  }

  /**
   * Works through what has come in, until more is needed or something is to be waited for. No async function: most steps
   * are answered at once, and would each cost a promise.
   */
  #drive(engine: SmtpEngine<Recipient>, answers: ConnectionAnswers): void {
    try {
      while (this.#takeStep(engine, answers)) if (!engine.isTakingMessage) answers.giveBack();
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    this.#isDriving = false;
    this.#shared.log.error('smtp.connection_failed', { connection: this.#id, error });
    if (this.#stage === 'finished') this.#release();
    else this.#end(replies.localError);
  };

  /** Whether the next step may be taken at once. */
  #takeStep(engine: SmtpEngine<Recipient>, answers: ConnectionAnswers): boolean {
    this.#steps += 1;
    if (this.#steps % stepsAtOnce === 0) return this.#giveWay(engine, answers);
    // The sender went while it was waited for: nothing further of what it sent is carried out.
    if (this.#stage === 'finished') engine.close(replies.connectionLost);
    const step = engine.step();
    this.#count();
    switch (step.kind) {
      case 'input':
      case 'close':
        this.#settle(step.kind);
        this.#isDriving = false;
        return false;
      case 'transaction':
        engine.answerTransaction(answers.admitTransaction(step.mailFrom));
        return true;
      case 'recipient':
        return this.#waitFor(answers.resolve(step, this.#tls), (answer) => {
          engine.answerRecipient(answer);
          this.#goOn(engine, answers);
        });
      case 'body':
        engine.answerBody(answers.admitBody(step.maxBytes));
        return true;
      case 'message':
        return this.#store(step.message, engine, answers);
      case 'refused':
        answers.refuse(step, this.#tls);
        return true;
      case 'turn':
        return this.#giveWay(engine, answers);
      case 'tls':
        return this.#secure(engine, answers);
    }
  }

  #waitFor<T>(promise: Promise<T>, goOnWith: (value: T) => void): false {
    promise.then(goOnWith).catch(this.#fail);
    return false;
  }

  #goOn(engine: SmtpEngine<Recipient>, answers: ConnectionAnswers): void {
    this.#regulate();
    if (!engine.isTakingMessage) answers.giveBack();
    this.#drive(engine, answers);
  }

  /** A sender of commands without end would keep the thread to itself: reading hands over megabytes at once. */
  #giveWay(engine: SmtpEngine<Recipient>, answers: ConnectionAnswers): false {
    this.#flush();
    this.#regulate();
    this.#isGivingWay = true;
    setImmediate(() => {
      this.#isGivingWay = false;
      this.#drive(engine, answers);
    });
    return false;
  }

  #store(
    message: EngineMessage<Recipient>,
    engine: SmtpEngine<Recipient>,
    answers: ConnectionAnswers,
  ): false {
    // Replies to what came before go out first: the commit may take a while.
    this.#flush();
    const endedAt = performance.now();
    return this.#waitFor(answers.store(message, this.#tls), (reply) => {
      engine.answerMessage(reply);
      this.#progressAt = performance.now();
      this.#shared.counts.noteReceiveTime(this.#progressAt - endedAt);
      this.#goOn(engine, answers);
    });
  }

  #secure(engine: SmtpEngine<Recipient>, answers: ConnectionAnswers): false {
    this.#flush();
    this.#handshakeUntil = performance.now() + handshakeMaxMs;
    return this.#waitFor(this.#startTls(), (tls) => {
      this.#handshakeUntil = undefined;
      this.#shared.counts.noteHandshake(tls === undefined ? 'failed' : 'done');
      if (tls !== undefined) {
        this.#tls = tls;
        engine.answerTls();
      }
      this.#goOn(engine, answers);
    });
  }

  #settle(kind: 'input' | 'close'): void {
    const isTakingMessage = this.#engine?.isTakingMessage ?? false;
    if (!isTakingMessage) this.#answers?.giveBack();
    if (kind === 'close' || this.#hasInputEnded) this.#finish();
    else if (this.#isStopping && !isTakingMessage) this.#end(replies.shuttingDown);
    else this.#shared.replyTurn.add(this.#flush);
  }

  /** As `startTls`. */
  #startTls(): Promise<string | undefined> {
    const { tls } = this.#shared;
    if (!tls) throw new Error('TLS is not offered.');
    const { secure, handshake } = startTls(this.#socket, tls);
    this.#socket = secure;
    this.#listen(secure);
    return handshake;
  }

  /** Takes nothing more from a sender that is too far ahead of our answers or too far behind in reading them. */
  #regulate(): void {
    if (this.#stage === 'finished') return;
    const socket = this.#socket;
    const isHeldBack =
      (this.#engine?.waitingBytes ?? 0) > waitingInputMaxBytes ||
      socket.writableLength > waitingOutputMaxBytes;
    if (isHeldBack) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  #count(): void {
    const isIncoming = this.#stage === 'open' && (this.#engine?.isInTransaction ?? false);
    if (isIncoming === this.#isCounted) return;
    this.#isCounted = isIncoming;
    this.#shared.onIncoming(isIncoming ? 1 : -1);
  }

  readonly #flush = (): void => {
    const output = this.#engine?.takeOutput() ?? '';
    if (output === '' || !this.#socket.writable) return;
    if (!this.#socket.write(output, 'latin1')) this.#regulate();
  };

  #end(reply: Reply): void {
    if (this.#stage === 'finished') return;
    this.#engine?.close(reply);
    this.#finish();
  }

  #finish(): void {
    if (this.#stage === 'finished') return;
    this.#stage = 'finished';
    this.#count();
    const socket = this.#socket;
    const output = this.#engine?.takeOutput() ?? '';
    // After QUIT a sender says nothing more. TLS ends by a message of its own.
    const hasQuit = output.endsWith(replies.bye) && this.#tls === null;
    if (!hasQuit) endSocket(socket, output);
    else {
      this.#shared.replyTurn.add(() => {
        closeSocket(socket, output);
      });
    }
  }

  /** The socket is gone: what it held is given back. */
  #leave(): void {
    this.#stage = 'finished';
    this.#count();
    // To its end: of a message that was cut off is told.
    if (!this.#isDriving) this.#startDriving();
    if (this.#network !== undefined) this.#shared.admission.leave(this.#network);
    this.#network = undefined;
  }

  #release(): void {
    this.#engine?.close(replies.connectionLost);
    this.#answers?.giveBack();
  }
}
