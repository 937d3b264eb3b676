// One SMTP connection: moves bytes between a socket and the engine, and has the engine's questions answered. Made by
// smtp-server.ts, which also tells it the time. Owns the socket; ends with the socket's `close`.

import type { Socket } from 'node:net';

import { isLoopback } from '../net/client-network.ts';
import type { Recipient } from '../service/resolve-recipient.ts';
import { admitPeer } from './admit-peer.ts';
import { ConnectionAnswers } from './connection-answers.ts';
import { DialoguePace } from './dialogue-pace.ts';
import { closeSocket, endSocket } from './end-socket.ts';
import { type EngineMessage, stepsAtOnce } from './engine-step.ts';
import { isCrowd, type Newcomer, type Weakness } from './find-victim.ts';
import type { PeerHoldings } from './network-holdings.ts';
import { ProxyHeaderReader } from './proxy-header.ts';
import { replies, type Reply } from './reply.ts';
import type { SharedParts } from './shared-parts.ts';
import { SmtpEngine } from './smtp-engine.ts';
import { startTls } from './start-tls.ts';

/** Bytes that may wait while the engine does, and replies while the sender does not read: TCP holds it back then. */
const waitingInputMaxBytes = 256 * 1024;
const waitingOutputMaxBytes = 64 * 1024;
/** How long a sender has to show that it does not wait for the greeting: its bytes are right behind the handshake then. */
const greetingDelayMs = 2;

type Engine = SmtpEngine<Recipient>;

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
  readonly #proxyHeader = new ProxyHeaderReader();
  #engine: Engine | undefined;
  #answers: ConnectionAnswers | undefined;
  /** While it counts in the admission. */
  #place: PeerHoldings | undefined;
  #tls: string | null = null;
  #isDriving = false;
  /** Taken since it was given something to work on. */
  #steps = 0;
  /** While it drives: the sender has been given enough, and others have their turn. */
  #isGivingWay = false;
  #isStopping = false;
  #hasInputEnded = false;
  #isCounted = false;
  readonly #pace: DialoguePace;

  // What is shared comes as it is: in Node 20 an object that is spread and added to costs more than greeting its sender.
  constructor(shared: SharedParts, { socket, id, expectsProxyHeader }: AcceptedSocket) {
    this.#shared = shared;
    this.#id = id;
    this.#socket = socket;
    this.#pace = new DialoguePace(performance.now(), shared.settings.idleTimeoutSeconds * 1000);
    // Replies are small and each is waited for: Nagle would hold them back for the sender's delayed ACK.
    this.#socket.setNoDelay(true);
    this.#stage = expectsProxyHeader ? 'proxy' : 'greeting';
    this.#listen(this.#socket);
    if (this.#stage === 'greeting') this.#enter(this.#socket.remoteAddress ?? '');
  }

  /** Ends the dialogue with 421, at once or when the message that is under way has its answer. */
  stop(): void {
    this.#isStopping = true;
    this.#answers?.faults.hurry();
    const isBusy = this.#engine?.isTakingMessage || this.#isAtWork || this.#pace.isShakingHands;
    if (!isBusy) this.#end(replies.shuttingDown);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends what has been silent, or busy without end, for too long. `now`: performance.now(). */
  checkTime(now: number): void {
    // While the engine waits for an answer the silence is ours: a sender told 421 would send its message again.
    if (this.#isAtWork || this.#stage === 'finished') this.#pace.rest(now);
    else if (this.#pace.isOverdue(now, this.#engine, this.#shared.admission)) this.#end(replies.timeout);
  }

  /** Why it may be ended for a newcomer, and since when it has its place; undefined while it may not. */
  findWeakness(now: number, newcomer: Newcomer): Weakness | undefined {
    if (!this.#place || this.#stage === 'finished' || this.#isAtWork) return undefined;
    const isOfCrowd = isCrowd(this.#place.site.connections, newcomer);
    const lack = this.#pace.findLack(now, this.#engine, isOfCrowd);
    return lack && { lack, ageMs: this.#pace.ageMs(now), isOfCrowd };
  }

  /** Ends it for a newcomer, which has its place at once. */
  evict(): void {
    this.#shared.counts.noteEvicted();
    this.#shared.sampledLog.info('smtp.connection_evicted', { connection: this.#id });
    this.#end(replies.tooManyConnections);
    this.#leavePlace();
  }

  /** Whether the sender waits for us. */
  get #isAtWork(): boolean {
    return this.#isDriving && !this.#isGivingWay && !this.#pace.isShakingHands;
  }

  #listen(socket: Socket): void {
    socket.on('data', (bytes) => {
      this.#receive(bytes);
    });
    socket.on('drain', () => void this.#regulate());
    // Half open until everything asked has been answered: a sender may close its side first.
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

  /** Begins the dialogue with the sender at this address, unless it is refused. */
  #enter(address: string): void {
    const peer = admitPeer(this.#shared, this.#id, address);
    if (typeof peer === 'string') return this.#turnAway(peer);
    const { settings, loopbackSettings = settings } = this.#shared;
    this.#place = peer.place;
    this.#answers = new ConnectionAnswers(this.#shared, peer);
    this.#engine = new SmtpEngine(isLoopback(peer.remoteAddress) ? loopbackSettings : settings);
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
    this.#pace.noteInput(performance.now());
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
        this.#shared.sampledLog.info('smtp.spoke_too_soon', { connection: this.#id });
        this.#turnAway(replies.spokeTooSoon);
        return;
      case 'finished':
    }
  }

  #turnAway(reply: Reply): void {
    this.#stage = 'finished';
    this.#shared.counts.noteConnectionRefused(reply);
    endSocket(this.#socket, reply, this.#shared.admission);
  }

  #receiveProxyHeader(bytes: Buffer): void {
    const { header, rest } = this.#proxyHeader.push(bytes);
    if (header.state === 'partial') return;
    if (header.state === 'invalid') {
      this.#shared.sampledLog.warn('smtp.bad_proxy_header', { connection: this.#id });
      this.#turnAway(replies.badProxyHeader);
      return;
    }
    this.#stage = 'greeting';
    this.#enter(header.sourceAddress ?? this.#socket.remoteAddress ?? '');
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
  #drive(engine: Engine, answers: ConnectionAnswers): void {
    try {
      while (this.#takeStep(engine, answers)) if (!engine.isTakingMessage) answers.giveBack();
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    this.#isDriving = false;
    this.#shared.log.error('smtp.connection_failed', { connection: this.#id, error });
    if (this.#stage === 'finished') {
      this.#engine?.close(replies.connectionLost);
      this.#answers?.giveBack();
    } else this.#end(replies.localError);
  };

  /** Whether the next step may be taken at once. */
  #takeStep(engine: Engine, answers: ConnectionAnswers): boolean {
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

  /** Whether the step was answered at once. */
  #goOnAfter(answered: Promise<void> | undefined): boolean {
    answered?.then(this.#goOn).catch(this.#fail);
    return !answered;
  }

  /** Goes on once the answer is there and was given. */
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
    if (!engine.isTakingMessage) answers.giveBack();
    this.#drive(engine, answers);
  };

  /** A sender of commands without end would keep the thread to itself: reading hands over megabytes at once. */
  #giveWay(engine: Engine, answers: ConnectionAnswers): false {
    this.#flush();
    this.#regulate();
    this.#isGivingWay = true;
    setImmediate(() => {
      this.#isGivingWay = false;
      this.#drive(engine, answers);
    });
    return false;
  }

  #store(message: EngineMessage<Recipient>, engine: Engine, answers: ConnectionAnswers): false {
    // Replies to what came before go out first: the commit may take a while.
    this.#flush();
    const endedAt = performance.now();
    return this.#answerLater(answers.store(message, this.#tls), (reply) => {
      engine.answerMessage(reply);
      const now = performance.now();
      this.#pace.noteMessage(now);
      this.#shared.counts.noteReceiveTime(now - endedAt);
    });
  }

  #secure(engine: Engine, answers: ConnectionAnswers): false {
    this.#flush();
    this.#pace.beginHandshake(performance.now());
    return this.#answerLater(this.#startTls(), (tls) => {
      this.#pace.endHandshake();
      this.#shared.counts.noteHandshake(tls === undefined ? 'failed' : 'done');
      if (tls !== undefined) {
        this.#tls = tls;
        answers.forgetCredentials();
        engine.answerTls();
      }
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
    // During a handshake nothing can be said.
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
    // After QUIT a sender says nothing more. TLS ends by a message of its own.
    const hasQuit = output.endsWith(replies.bye) && this.#tls === null;
    if (!hasQuit) endSocket(socket, output, admission);
    else replyTurn.add(() => void closeSocket(socket, output, admission));
  }

  /** The socket is gone: what it held is given back. */
  #leave(): void {
    this.#stage = 'finished';
    this.#count();
    this.#answers?.faults.abandon();
    // To its end: of a message that was cut off is told.
    if (!this.#isDriving) this.#startDriving();
    this.#leavePlace();
  }

  #leavePlace(): void {
    if (this.#place) this.#shared.admission.leave(this.#place.own.key, this.#place.site.key);
    this.#place = undefined;
  }
}
