// Decides when a dialogue has taken too long: silent, trickling, or busy without end. With room to spare the time-outs
// of RFC 5321 §4.5.3.2 apply; when connections run short a dialogue must make progress. Has no clock of its own.

/** The longest time without a message, and for one message, however busy the sender is. */
const commandsMaxMs = 10 * 60_000;
const bodyMaxMs = 30 * 60_000;

/**
 * While most connections are in use: the limits for silence, for the next whole command, and for reaching a message.
 */
const crowdedIdleMs = 30_000;
const crowdedCommandMs = 30_000;
const crowdedCommandsMaxMs = 60_000;
/**
 * While most connections, or half of the room for messages, are in use: a message must advance this much in this
 * time.
 */
const rateBytes = 32 * 1024;
const rateMs = 30_000;

/** A TLS handshake takes only a few packets. */
const handshakeMaxMs = 30_000;
const crowdedHandshakeMaxMs = 10_000;

/**
 * While every place is taken: how long a dialogue keeps its place without a recipient, without a message, and with a
 * message that is slower than required.
 */
const keptMs = { recipient: 3000, message: 15_000, speed: 60_000 };
const slowBytesPerSecond = 8 * 1024;
/** The same for a site with far more places than the newcomer's. */
const crowdKeptMs = { recipient: 1000, message: 2000, speed: 5000 };
const crowdSlowBytesPerSecond = 64 * 1024;

/** The progress of a dialogue. */
export interface Dialogue {
  readonly commandCount: number;
  readonly hasRecipient: boolean;
  readonly isReceivingMessage: boolean;
  /** Bytes received of the current message. */
  readonly bodyBytes: number;
}

/** How full the listener is. */
export interface Crowding {
  readonly isCrowded: boolean;
  /** Whether messages must arrive at a minimum rate. */
  readonly isPressed: boolean;
}

/** The stage that a dialogue has not reached yet, the earliest first. */
export type Lack = 'recipient' | 'message' | 'speed';

export class DialoguePace {
  readonly #idleMs: number;
  #inputAt: number;
  #progressAt: number;
  #commandAt: number;
  #commandCount = 0;
  /** When the current stretch of the message began. */
  #rateAt: number;
  #rateFromBytes = 0;
  /** Set during the TLS handshake, the only step whose answer depends on the sender. */
  #handshakeAt: number | undefined;

  constructor(now: number, idleMs: number) {
    this.#idleMs = idleMs;
    this.#inputAt = now;
    this.#progressAt = now;
    this.#commandAt = now;
    this.#rateAt = now;
  }

  recordInput(now: number): void {
    this.#inputAt = now;
  }

  /** Called when a message has been answered. */
  recordMessage(now: number): void {
    this.#progressAt = now;
  }

  get isShakingHands(): boolean {
    return this.#handshakeAt !== undefined;
  }

  beginHandshake(now: number): void {
    this.#handshakeAt = now;
  }

  endHandshake(): void {
    this.#handshakeAt = undefined;
  }

  /** Called while the sender waits for us: that time does not count against it. */
  rest(now: number): void {
    this.#inputAt = now;
    this.#commandAt = now;
    this.#rateAt = now;
  }

  /** Called now and then while we wait for the sender. `dialogue` is undefined before there is one. */
  isOverdue(now: number, dialogue: Dialogue | undefined, crowding: Crowding): boolean {
    const { isCrowded } = crowding;
    if (this.#handshakeAt !== undefined) {
      return now - this.#handshakeAt > (isCrowded ? crowdedHandshakeMaxMs : handshakeMaxMs);
    }
    this.#follow(now, dialogue);
    const isReceivingMessage = dialogue?.isReceivingMessage ?? false;
    const idleMaxMs = isCrowded ? Math.min(this.#idleMs, crowdedIdleMs) : this.#idleMs;
    const waitingMaxMs = isCrowded ? crowdedCommandsMaxMs : commandsMaxMs;
    if (now - this.#inputAt > idleMaxMs) return true;
    if (now - this.#progressAt > (isReceivingMessage ? bodyMaxMs : waitingMaxMs)) return true;
    if (isReceivingMessage) return crowding.isPressed && now - this.#rateAt > rateMs;
    return isCrowded && now - this.#commandAt > crowdedCommandMs;
  }

  /** Milliseconds since the connection began or its last message ended. */
  ageMs(now: number): number {
    return now - this.#progressAt;
  }

  /** Returns why a newcomer may take this place when no other is free; undefined when it may not. */
  findLack(now: number, dialogue: Dialogue | undefined, isOfCrowd = false): Lack | undefined {
    const ageMs = this.ageMs(now);
    const kept = isOfCrowd ? crowdKeptMs : keptMs;
    if (dialogue?.isReceivingMessage) {
      const slowest = isOfCrowd ? crowdSlowBytesPerSecond : slowBytesPerSecond;
      const isSlow = dialogue.bodyBytes * 1000 < slowest * ageMs;
      return isSlow && ageMs > kept.speed ? 'speed' : undefined;
    }
    const lack = dialogue?.hasRecipient ? 'message' : 'recipient';
    return ageMs > kept[lack] ? lack : undefined;
  }

  #follow(now: number, dialogue: Dialogue | undefined): void {
    const { commandCount = 0, isReceivingMessage = false, bodyBytes = 0 } = dialogue ?? {};
    if (commandCount !== this.#commandCount) this.#commandAt = now;
    this.#commandCount = commandCount;
    const isNewMessage = bodyBytes < this.#rateFromBytes;
    if (isReceivingMessage && !isNewMessage && bodyBytes - this.#rateFromBytes < rateBytes) return;
    this.#rateAt = now;
    this.#rateFromBytes = isReceivingMessage ? bodyBytes : 0;
  }
}
