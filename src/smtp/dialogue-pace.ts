// How a dialogue gets on, and when it has taken too long: in silence, trickling, busy without end. The times of RFC 5321
// §4.5.3.2 hold while there is room for everybody; where there is not, a dialogue has to get somewhere. Told by
// smtp-connection.ts; pure.

/** A dialogue without a message, and a message, take no longer, however busily they trickle. */
const commandsMaxMs = 10 * 60_000;
const bodyMaxMs = 30 * 60_000;

/** While most connections are used: silence, the next whole command, and the way to a message. */
const crowdedIdleMs = 30_000;
const crowdedCommandMs = 30_000;
const crowdedCommandsMaxMs = 60_000;
/** And while most connections, or half of the room for messages, are used: so much of a message in so much time. */
const rateBytes = 32 * 1024;
const rateMs = 30_000;

/** A TLS handshake is a few packets. */
const handshakeMaxMs = 30_000;
const crowdedHandshakeMaxMs = 10_000;

/** With every place taken: how long one is kept without a recipient, with one, and for a message slower than that. */
const keptMs = { recipient: 3000, message: 15_000, speed: 60_000 };
const slowBytesPerSecond = 8 * 1024;
/** The same of a site that has far more places than the newcomer's. */
const crowdKeptMs = { recipient: 1000, message: 2000, speed: 5000 };
const crowdSlowBytesPerSecond = 64 * 1024;

/** Where the dialogue is. */
export interface Dialogue {
  readonly commandCount: number;
  readonly hasRecipient: boolean;
  readonly isTakingMessage: boolean;
  /** Of the message under way. */
  readonly bodyBytes: number;
}

/** How full the listener is. */
export interface Crowding {
  readonly isCrowded: boolean;
  /** Whether messages have to come at a rate. */
  readonly isPressed: boolean;
}

/** What a dialogue has not got to, the least first. */
export type Lack = 'recipient' | 'message' | 'speed';

export class DialoguePace {
  readonly #idleMs: number;
  #inputAt: number;
  #progressAt: number;
  #commandAt: number;
  #commandCount = 0;
  /** Where the present stretch of the message began. */
  #rateAt: number;
  #rateFromBytes = 0;
  /** Set during the handshake: the one wait of the engine that hangs on the sender. */
  #handshakeAt: number | undefined;

  constructor(now: number, idleMs: number) {
    this.#idleMs = idleMs;
    this.#inputAt = now;
    this.#progressAt = now;
    this.#commandAt = now;
    this.#rateAt = now;
  }

  noteInput(now: number): void {
    this.#inputAt = now;
  }

  /** A message has its answer. */
  noteMessage(now: number): void {
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

  /** Looked at while the sender waits for us: that time is not its own. */
  rest(now: number): void {
    this.#inputAt = now;
    this.#commandAt = now;
    this.#rateAt = now;
  }

  /** Looked at while we wait for the sender, now and then. `dialogue` is undefined before there is one. */
  isOverdue(now: number, dialogue: Dialogue | undefined, crowding: Crowding): boolean {
    const { isCrowded } = crowding;
    if (this.#handshakeAt !== undefined) {
      return now - this.#handshakeAt > (isCrowded ? crowdedHandshakeMaxMs : handshakeMaxMs);
    }
    this.#follow(now, dialogue);
    const isTakingMessage = dialogue?.isTakingMessage ?? false;
    const idleMaxMs = isCrowded ? Math.min(this.#idleMs, crowdedIdleMs) : this.#idleMs;
    const waitingMaxMs = isCrowded ? crowdedCommandsMaxMs : commandsMaxMs;
    if (now - this.#inputAt > idleMaxMs) return true;
    if (now - this.#progressAt > (isTakingMessage ? bodyMaxMs : waitingMaxMs)) return true;
    if (isTakingMessage) return crowding.isPressed && now - this.#rateAt > rateMs;
    return isCrowded && now - this.#commandAt > crowdedCommandMs;
  }

  /** Since the connection or its last message. */
  ageMs(now: number): number {
    return now - this.#progressAt;
  }

  /** Why a newcomer may have its place where there is no other; undefined while it may not. */
  findLack(now: number, dialogue: Dialogue | undefined, isOfCrowd = false): Lack | undefined {
    const ageMs = this.ageMs(now);
    const kept = isOfCrowd ? crowdKeptMs : keptMs;
    if (dialogue?.isTakingMessage) {
      const slowest = isOfCrowd ? crowdSlowBytesPerSecond : slowBytesPerSecond;
      const isSlow = dialogue.bodyBytes * 1000 < slowest * ageMs;
      return isSlow && ageMs > kept.speed ? 'speed' : undefined;
    }
    const lack = dialogue?.hasRecipient ? 'message' : 'recipient';
    return ageMs > kept[lack] ? lack : undefined;
  }

  #follow(now: number, dialogue: Dialogue | undefined): void {
    const { commandCount = 0, isTakingMessage = false, bodyBytes = 0 } = dialogue ?? {};
    if (commandCount !== this.#commandCount) this.#commandAt = now;
    this.#commandCount = commandCount;
    const isNewMessage = bodyBytes < this.#rateFromBytes;
    if (isTakingMessage && !isNewMessage && bodyBytes - this.#rateFromBytes < rateBytes) return;
    this.#rateAt = now;
    this.#rateFromBytes = isTakingMessage ? bodyBytes : 0;
  }
}
