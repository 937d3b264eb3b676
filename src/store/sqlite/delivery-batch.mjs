// Deliveries on their way from the service's thread to the one that writes them (delivery-worker.mjs), laid out in memory
// that both see: a message costs no object on the way, and a batch one wake-up. Only one side uses it at a time. Plain
// JavaScript: the other thread runs it unbuilt under tests too.

/**
 * @typedef {object} DeliveryRecord a message as it is to be written
 * @property {number} sessionId
 * @property {number} seq of the session before it
 * @property {number} rowId
 * @property {number} receivedAt ms since 1970
 * @property {number} sizeBytes of all of `raw`
 * @property {Uint8Array} dataKey 32 bytes
 * @property {Uint8Array} meta to be sealed
 */

const batchMaxBytes = 4 * 1024 * 1024;
/** Three numbers of 32 bits: how often the other side was called, what for, and the records. */
const headBytes = 64;
const [calls, command, records] = [0, 1, 2];
/** What it is called for. */
const [write, close] = [0, 1];
/** Of a record, each of 8 bytes; the data key, what is to be sealed of the message and its bytes follow. */
const fields = 8;
const isStored = 7;
const dataKeyBytes = 32;

/** @param {number} at */
function roundUp(at) {
  return (at + 7) & ~7;
}

export class DeliveryBatch {
  /** To be handed to the other thread, which makes a batch of its own of it. */
  memory;
  #head;
  #numbers;
  /** @readonly */
  #bytes;
  #endAt = headBytes;
  /** @type {number[]} where the records begin */
  #starts = [];
  /** @type {number[]} */
  #keysAt = [];
  #callsSeen = 0;
  /** Where the record that was taken last begins. */
  #takenAt = headBytes;

  /** @param {SharedArrayBuffer} [memory] of a batch in another thread */
  constructor(memory = new SharedArrayBuffer(batchMaxBytes)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, 3);
    this.#numbers = new Float64Array(memory);
    this.#bytes = Buffer.from(memory);
  }

  /**
   * Whether a record with so many bytes of meta and raw fits.
   * @param {number} bytes
   */
  hasRoom(bytes) {
    return this.#endAt + 8 * fields + dataKeyBytes + bytes + 24 <= this.memory.byteLength;
  }

  /**
   * The bytes are copied. A record that throws is left out.
   * @param {DeliveryRecord} record
   * @param {Iterable<Uint8Array>} raw to be sealed, in pieces
   * @throws RangeError when it has no room; Error when `raw` is not as long as it should be
   */
  add({ sessionId, seq, rowId, receivedAt, sizeBytes, dataKey, meta }, raw) {
    const startAt = this.#endAt;
    const bytes = this.#bytes;
    const keyAt = startAt + 8 * fields;
    this.#keysAt.push(keyAt);
    bytes.set(dataKey, keyAt);
    bytes.set(meta, keyAt + dataKeyBytes);
    let rawAt = 0;
    let at = 0;
    for (const piece of raw) {
      // Memory that threads share is written byte by byte, unless both sides are aligned alike.
      if (at === 0) at = rawAt = roundUp(keyAt + dataKeyBytes + meta.length) + (piece.byteOffset & 7);
      if (at + piece.length > rawAt + sizeBytes) break;
      bytes.set(piece, at);
      at += piece.length;
    }
    if (at !== rawAt + sizeBytes) throw new Error('The message is not as long as its size.');
    const numbers = this.#numbers;
    let number = startAt / 8;
    numbers[number++] = sessionId;
    numbers[number++] = seq;
    numbers[number++] = rowId;
    numbers[number++] = receivedAt;
    numbers[number++] = sizeBytes;
    numbers[number++] = meta.length;
    numbers[number++] = rawAt;
    numbers[number] = 0;
    this.#starts.push(startAt);
    this.#endAt = roundUp(Math.max(at, keyAt + dataKeyBytes + meta.length));
  }

  /** Has the other thread write what was added. */
  send() {
    this.#call(write);
  }

  /** Whether the record that was added as number `index`, from 0, was stored. */
  wasStored(/** @type {number} */ index) {
    return this.#numbers[(this.#starts[index] ?? 0) / 8 + isStored] === 1;
  }

  clear() {
    // Of a message in the clear as little stays as in any memory that is given back; of a key nothing.
    for (const keyAt of this.#keysAt) this.#bytes.fill(0, keyAt, keyAt + dataKeyBytes);
    this.#keysAt = [];
    this.#starts = [];
    this.#endAt = headBytes;
  }

  /** Has the other thread end. */
  close() {
    this.#call(close);
  }

  #call(/** @type {number} */ what) {
    this.#head[command] = what;
    this.#head[records] = this.#starts.length;
    Atomics.add(this.#head, calls, 1);
    Atomics.notify(this.#head, calls);
  }

  /** Waits for a call, holding the thread. False when it is to end. */
  receive() {
    Atomics.wait(this.#head, calls, this.#callsSeen);
    this.#callsSeen = Atomics.load(this.#head, calls);
    return this.#head[command] === write;
  }

  /**
   * What the other side added; the bytes are views of the batch.
   * @returns {Generator<DeliveryRecord & { readonly raw: Uint8Array }, void>}
   */
  *take() {
    const numbers = this.#numbers;
    const bytes = this.#bytes;
    const count = this.#head[records] ?? 0;
    let startAt = headBytes;
    for (let taken = 0; taken < count; taken++) {
      this.#takenAt = startAt;
      let number = startAt / 8;
      const sessionId = numbers[number++] ?? 0;
      const seq = numbers[number++] ?? 0;
      const rowId = numbers[number++] ?? 0;
      const receivedAt = numbers[number++] ?? 0;
      const sizeBytes = numbers[number++] ?? 0;
      const metaBytes = numbers[number++] ?? 0;
      const rawAt = numbers[number] ?? 0;
      const keyAt = startAt + 8 * fields;
      const metaAt = keyAt + dataKeyBytes;
      const dataKey = bytes.subarray(keyAt, metaAt);
      const meta = bytes.subarray(metaAt, metaAt + metaBytes);
      const raw = bytes.subarray(rawAt, rawAt + sizeBytes);
      startAt = roundUp(Math.max(rawAt + sizeBytes, metaAt + metaBytes));
      yield { sessionId, seq, rowId, receivedAt, sizeBytes, dataKey, meta, raw };
    }
  }

  /** The record that was taken last. */
  noteStored() {
    this.#numbers[this.#takenAt / 8 + isStored] = 1;
  }
}
