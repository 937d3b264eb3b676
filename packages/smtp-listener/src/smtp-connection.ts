// One SMTP connection: moves bytes between a socket and the engine, and has the engine's steps answered. Made by
// listen.ts, which also checks its time-outs. Owns the socket and ends with the socket's `close`.

import type { Socket } from 'node:net';

import { isLoopback } from '../../networks/src/client-network.ts';
import { type EngineMessage, stepsAtOnce } from '../../mail-receiver/src/engine-step.ts';
import { replies, type Reply } from '../../mail-receiver/src/reply.ts';
import { SmtpEngine } from '../../mail-receiver/src/smtp-engine.ts';
import { DialoguePace } from '../../mail-receiver/src/dialogue-pace.ts';
import { closeSocket, endSocket } from '../../mail-receiver/src/end-socket.ts';
import { isCrowd, type Newcomer, type Weakness } from '../../mail-receiver/src/find-victim.ts';
import { ProxyHeaderReader } from '../../mail-receiver/src/proxy-header.ts';
import { startTls } from '../../mail-receiver/src/start-tls.ts';
import { admitPeer, type PeerHoldings } from './admission.ts';
import type { Answers, ListenerParts } from './listener-parts.ts';

/** The most bytes of input, and of unread replies, that may wait before TCP slows the sender down. */
const waitingInputMaxBytes = 256 * 1024;
const waitingOutputMaxBytes = 64 * 1024;

export interface AcceptedSocket {
  readonly socket: Socket;
  readonly id: string;
  /** Whether the peer is a load balancer that sends a PROXY header first. */
  readonly expectsProxyHeader: boolean;
}

export class SmtpConnection<Recipient> {
  readonly #shared: ListenerParts<Recipient>;
  readonly #id: string;
  #socket: Socket;
  #stage: 'proxy' | 'greeting' | 'open' | 'finished';
  /** Set while a PROXY header is expected. */
  #proxyHeader: ProxyHeaderReader | undefined;
  #engine: SmtpEngine<Recipient> | undefined;
  #answers: Answers<Recipient> | undefined;
  /** Set while the connection counts in the admission. */
  #place: PeerHoldings | undefined;
  #tls: string | null = null;
  #isDriving = false;
  /** Steps taken since the last input. */
  #steps = 0;
  /** Whether it has paused to let other connections take their turn. */
  #isGivingWay = false;
  #isStopping = false;
  #hasInputEnded = false;
  #isCounted = false;
  readonly #pace: DialoguePace;

  // Shared parts are passed as they are: in Node 20, spreading them costs more than greeting the sender.
  constructor(shared: ListenerParts<Recipient>, { socket, id, expectsProxyHeader }: AcceptedSocket) {
    this.#shared = shared;
    this.#id = id;
    this.#socket = socket;
    this.#pace = new DialoguePace(performance.now(), shared.settings.idleTimeoutSeconds * 1000);
    // Replies are small and awaited: Nagle's algorithm would hold them for the sender's delayed ACK.
    this.#socket.setNoDelay(true);
    this.#stage = expectsProxyHeader ? 'proxy' : 'greeting';
    if (expectsProxyHeader) this.#proxyHeader = new ProxyHeaderReader();
    this.#listen(this.#socket);
    if (this.#stage === 'greeting') this.#enter(this.#socket.remoteAddress ?? '', false);
  }

  /** Ends the dialogue with 421, immediately or after the current message is answered. */
  stop(): void {
    this.#isStopping = true;
    this.#answers?.faults.hurry();
    const isBusy = this.#engine?.isReceivingMessage || this.#isAtWork || this.#pace.isShakingHands;
    if (!isBusy) this.#end(replies.shuttingDown);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends a dialogue that has been silent, or busy without progress, for too long. `now`: performance.now(). */
  checkTime(now: number): void {
    // The sender is not to blame while the engine waits for an answer: after a 421 it would send its message again.
    if (this.#isAtWork || this.#stage === 'finished') this.#pace.rest(now);
    else if (this.#pace.isOverdue(now, this.#engine, this.#shared.admission)) this.#end(replies.timeout);
  }

  /** Returns why this connection may be ended for a newcomer, and how old it is; undefined when it may not. */
  findWeakness(now: number, newcomer: Newcomer): Weakness | undefined {
    if (!this.#place || this.#stage === 'finished' || this.#isAtWork) return undefined;
    const isOfCrowd = isCrowd(this.#place.site.connections, newcomer);
    const lack = this.#pace.findLack(now, this.#engine, isOfCrowd);
    return lack && { lack, ageMs: this.#pace.ageMs(now), isOfCrowd };
  }

  /** Ends the connection for a newcomer, which gets its place at once. */
  evict(): void {
    this.#shared.counts.recordEvicted();
    this.#shared.sampledLog.info('smtp.connection_evicted', { connection: this.#id });
    this.#end(replies.tooManyConnections);
    this.#leavePlace();
  }

  /** Reports whether the sender is waiting for us. */
  get #isAtWork(): boolean {
    return this.#isDriving && !this.#isGivingWay && !this.#pace.isShakingHands;
  }

  #listen(socket: Socket): void {
    socket.on('data', (bytes) => {
      this.#receive(bytes);
    });
    socket.on('drain', () => void this.#regulate());
    // Stay half open until every step is answered: a sender may close its side first.
    socket.on('end', () => {
      this.#hasInputEnded = true;
      this.#answers?.faults.abandon();
      if (!this.#isDriving) this.#finish();
    });
    socket.on('close', () => void this.#leave());
    socket.on('error', (error) => {
      this.#shared.log.debug('smtp.socket_error', { connection: this.#id, error: error.message });
    });
  }

  /** Starts the dialogue with the sender at this address, unless it is refused. */
  #enter(address: string, isProxied: boolean): void {
    const peer = admitPeer(this.#shared, { id: this.#id, address, isProxied });
    if (typeof peer === 'string') return this.#turnAway(peer, address);
    this.#shared.counts.recordConnection();
    const { settings, loopbackSettings } = this.#shared;
    this.#place = peer.place;
    this.#answers = this.#shared.createAnswers(peer);
    this.#engine = new SmtpEngine(isLoopback(peer.remoteAddress) ? loopbackSettings() : settings);
    // The socket is first read in the next turn: what it holds then was sent without waiting for the greeting.
    setImmediate(() => {
      setImmediate(() => {
        this.#greet();
      });
    });
  }

  #greet(): void {
    if (this.#stage !== 'greeting') return;
    this.#stage = 'open';
    this.#flush();
    if (this.#isStopping) this.#end(replies.shuttingDown);
  }

  #receive(bytes: Buffer): void {
    this.#pace.recordInput(performance.now());
    switch (this.#stage) {
      case 'open':
        this.#engine?.push(bytes);
        if (this.#isDriving) this.#regulate();
        else this.#startDriving();
        return;
      case 'proxy':
        if (this.#proxyHeader) this.#receiveProxyHeader(this.#proxyHeader, bytes);
        return;
      case 'greeting':
        this.#shared.sampledLog.info('smtp.spoke_too_soon', { connection: this.#id });
        this.#turnAway(replies.spokeTooSoon, this.#answers?.remoteAddress);
        return;
      case 'finished':
    }
  }

  #turnAway(reply: Reply, address?: string): void {
    this.#stage = 'finished';
    this.#shared.counts.recordConnectionRefused(reply);
    this.#shared.onTurnedAway(reply, address);
    endSocket(this.#socket, reply, this.#shared.admission);
  }

  #receiveProxyHeader(reader: ProxyHeaderReader, bytes: Buffer): void {
    const { header, rest } = reader.push(bytes);
    if (header.state === 'partial') return;
    if (header.state === 'invalid') {
      this.#shared.sampledLog.warn('smtp.bad_proxy_header', { connection: this.#id });
      this.#turnAway(replies.badProxyHeader);
      return;
    }
    this.#stage = 'greeting';
    this.#proxyHeader = undefined;
    this.#enter(header.sourceAddress ?? this.#socket.remoteAddress ?? '', true);
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

  /** Processes the input until a step must wait. Not async: most steps are immediate and would cost a promise each. */
  #drive(engine: SmtpEngine<Recipient>, answers: Answers<Recipient>): void {
    try {
      while (this.#takeStep(engine, answers)) if (!engine.isReceivingMessage) answers.release();
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    this.#isDriving = false;
    this.#shared.log.error('smtp.connection_failed', { connection: this.#id, error });
    if (this.#stage === 'finished') {
      this.#engine?.close(replies.connectionLost);
      this.#answers?.release();
    } else this.#end(replies.localError);
  };

  /** Reports whether the next step may be taken at once. */
  #takeStep(engine: SmtpEngine<Recipient>, answers: Answers<Recipient>): boolean {
    this.#steps += 1;
    if (this.#steps % stepsAtOnce === 0) return this.#giveWay(engine, answers);
    // The sender left during the wait: discard the rest of its input.
    if (this.#stage === 'finished') engine.close(replies.connectionLost);
    const step = engine.step();
    answers.follow(engine.early);
    this.#count();
    switch (step.kind) {
      case 'input':
      case 'close':
        this.#settle(step.kind);
        this.#isDriving = false;
        return false;
      case 'transaction':
        return this.#goOnAfter(answers.answerTransaction(engine, step.mailFrom));
      case 'recipient':
        return this.#answerLater(answers.resolve(step, this.#tls), (answer) => {
          engine.answerRecipient(answer);
        });
      case 'body':
        return this.#goOnAfter(answers.answerBody(engine, step.declaredBytes));
      case 'message':
        return this.#store(step.message, engine, answers);
      case 'refused':
        answers.refuse(step, this.#tls);
        return true;
      case 'turn':
        return this.#giveWay(engine, answers);
      case 'auth':
        return this.#answerLater(answers.authenticate(step), (answer) => void engine.answerAuth(answer));
      case 'tls':
        return this.#secure(engine, answers);
    }
  }

  /** Reports whether the step was answered immediately. */
  #goOnAfter(answered: Promise<void> | undefined): boolean {
    answered?.then(this.#goOn).catch(this.#fail);
    return !answered;
  }

  /** Continues once the answer has arrived and been given. */
  #answerLater<T>(answer: Promise<T>, give: (answer: T) => void): false {
    answer
      .then((value) => {
        give(value);
        this.#goOn();
      })
      .catch(this.#fail);
    return false;
  }

  readonly #goOn = (): void => {
    const engine = this.#engine;
    const answers = this.#answers;
    if (!engine || !answers) return;
    const { end } = answers.faults;
    if (end === 'drop') this.destroy();
    if (end) this.#finish();
    this.#regulate();
    if (!engine.isReceivingMessage) answers.release();
    this.#drive(engine, answers);
  };

  /** One read can deliver megabytes: a sender of endless commands would monopolise the thread. */
  #giveWay(engine: SmtpEngine<Recipient>, answers: Answers<Recipient>): false {
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
    answers: Answers<Recipient>,
  ): false {
    // Send earlier replies first: the commit may take a while.
    this.#flush();
    const endedAt = performance.now();
    return this.#answerLater(answers.store(message, this.#tls), (reply) => {
      engine.answerMessage(reply);
      const now = performance.now();
      this.#pace.recordMessage(now);
      this.#shared.counts.recordReceiveTime(now - endedAt);
    });
  }

  #secure(engine: SmtpEngine<Recipient>, answers: Answers<Recipient>): false {
    this.#flush();
    this.#pace.beginHandshake(performance.now());
    return this.#answerLater(this.#startTls(), (tls) => {
      this.#pace.endHandshake();
      answers.recordHandshake(tls === undefined ? 'failed' : 'done');
      if (tls !== undefined) {
        this.#tls = tls;
        answers.clearCredentials();
        engine.answerTls();
      }
    });
  }

  #settle(kind: 'input' | 'close'): void {
    const isReceivingMessage = this.#engine?.isReceivingMessage ?? false;
    if (!isReceivingMessage) this.#answers?.release();
    if (kind === 'close' || this.#hasInputEnded) this.#finish();
    else if (this.#isStopping && !isReceivingMessage) this.#end(replies.shuttingDown);
    else this.#shared.replyTurn.add(this.#flush);
  }

  /** See `startTls`. */
  #startTls(): Promise<string | undefined> {
    const { tls } = this.#shared;
    if (!tls) throw new Error('TLS is not offered.');
    const { secure, handshake } = startTls(this.#socket, tls);
    this.#socket = secure;
    this.#listen(secure);
    return handshake;
  }

  /** Stops reading from a sender that is too far ahead of our answers, or too slow to read them. */
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
    if (isIncoming !== this.#isCounted) this.#shared.onIncoming(isIncoming ? 1 : -1);
    this.#isCounted = isIncoming;
  }

  readonly #flush = (): void => {
    const output = this.#engine?.takeOutput() ?? '';
    if (output === '' || !this.#socket.writable) return;
    if (!this.#socket.write(output, 'latin1')) this.#regulate();
  };

  #end(reply: Reply): void {
    if (this.#stage === 'finished') return;
    // No reply can be sent during a handshake.
    if (this.#pace.isShakingHands) this.destroy();
    else {
      this.#engine?.close(reply);
      this.#finish();
    }
  }

  #finish(): void {
    if (this.#stage === 'finished') return;
    this.#stage = 'finished';
    this.#count();
    const { admission, replyTurn } = this.#shared;
    const socket = this.#socket;
    const output = this.#engine?.takeOutput() ?? '';
    // After QUIT a plain connection is finished; TLS has its own closing message.
    const hasQuit = output.endsWith(replies.bye) && this.#tls === null;
    if (!hasQuit) endSocket(socket, output, admission);
    else replyTurn.add(() => void closeSocket(socket, output, admission));
  }

  /** Releases what the connection held. */
  #leave(): void {
    this.#stage = 'finished';
    this.#count();
    this.#answers?.faults.abandon();
    // Process the remaining input, so that an interrupted message is reported.
    if (!this.#isDriving) this.#startDriving();
    this.#leavePlace();
  }

  #leavePlace(): void {
    if (this.#place) this.#shared.admission.leave(this.#place.own.key, this.#place.site.key);
    this.#place = undefined;
  }
}
