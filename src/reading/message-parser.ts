// Reading of messages off the main thread: what services call to parse, glance at and take attachments out of mail.
// A thread that passes its time budget or dies costs its own message only, which is then answered as `failed`.
// It reads bytes handed to it and knows no store.
import { holdsText, type ParsedMessage, type ParseOutcome } from '@mayfly/mail-reader';
import { readSummary } from '@mayfly/mail-reader/header';
import { headBytes, rawChunkBytes } from '../domain/limits.ts';
import type { MessageGlance } from '../domain/message.ts';
import { createGlanceBatches } from './glance-batches.ts';
import type { ParserAnswer, ParserRequest } from './parser-protocol.ts';
import type { TurnOwner } from '../threads/fair-queue.ts';
import type { RunOutcome } from '../threads/pooled-worker.ts';
import { type PooledRequest, WorkerPool } from '../threads/worker-pool.ts';

export interface MessageParserOptions {
  /** Processor time for one message. */
  timeBudgetMs?: number;
  /** Threads at most. */
  workers?: number;
  /** Requests that may wait for a thread. */
  maxQueued?: number;
  /** An idle thread ends after this; the one that makes glances after ten times that. */
  idleMs?: number;
  /** Heap of each thread, in MiB; the message's own bytes do not count. */
  maxHeapMb?: number;
  /** Built JavaScript of parser-worker, for tests that run the sources: Node 20 loads no TypeScript in a worker. */
  workerUrl?: URL;
  /** Told of threads that were ended or died, for the log; `detail` holds nothing of the message. */
  onFault?: (fault: ParserFault) => void;
}

export interface ParserFault {
  request: ParserRequest['kind'];
  cause: 'slow' | 'crashed';
  detail: string;
}

export interface ParseOptions {
  readonly owner: TurnOwner;
  /** The caller gives `raw` away: it is moved to the worker instead of copied, and is empty from then on. */
  ownsRaw?: boolean;
}

/** Every method rejects with `unavailable` when too many requests wait or the parser is closed. */
export interface MessageParser {
  /** Never rejects because of what is in the message: then `parse.status` is `failed`. Its html is RAW and UNTRUSTED. */
  parse(raw: Uint8Array, options: ParseOptions): Promise<ParsedMessage>;
  /** Of the first bytes of a message, up to a stored chunk; an empty glance when they cannot be read. */
  glance(head: Uint8Array, owner: TurnOwner): Promise<MessageGlance>;
  /** Whether the text holds the part as people mean it. False when that could not be told in time. */
  search(text: string, part: string, owner: TurnOwner): Promise<boolean>;
  /** Messages may be listed soon: the thread that makes glances is started, or kept for some minutes, or `keepMs`. */
  expectGlances(keepMs?: number): void;
  /** Likewise the thread that reads whole messages, kept for its idle time again or for `keepMs`. */
  expectReads(keepMs?: number): void;
  /** Ends the threads; resolves when they are gone. */
  close(): Promise<void>;
}

const defaultMaxQueued = 256;
/** Less than handing it to a thread takes. */
const maxSearchedHereChars = 4_096;
/** Whoever has not had a turn by then asks again. */
const maxWaitMs = 30_000;
/** Batches of glances are fair by themselves. */
const allOwners: TurnOwner = { session: '', network: '' };

function createPool(
  options: MessageParserOptions,
  workers: number,
  idleMs: number,
): WorkerPool<ParserRequest, ParserAnswer> {
  return new WorkerPool({
    workerUrl: options.workerUrl ?? new URL('./parser-worker.js', import.meta.url),
    workers,
    maxQueued: options.maxQueued ?? defaultMaxQueued,
    maxWaitMs,
    timeBudgetMs: options.timeBudgetMs ?? 2_000,
    idleMs,
    // Making the tables of words would have the young generation grow to three times that, which it then keeps.
    resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 256, maxYoungGenerationSizeMb: 12 },
  });
}

/** Starts no thread until the first request. */
export function createMessageParser(options: MessageParserOptions = {}): MessageParser {
  const { idleMs = 30_000, maxQueued = defaultMaxQueued } = options;
  const readers = createPool(options, options.workers ?? 2, idleMs);
  // A thread of their own: a message that takes its whole time to read must not hold up every list and stream.
  const glancers = createPool(options, 1, 10 * idleMs);
  const run = async (given: PooledRequest<ParserRequest>): Promise<RunOutcome<ParserAnswer>> => {
    const { kind } = given.request;
    const outcome = await (kind === 'glance' ? glancers : readers).run(given);
    if (outcome.kind === 'failed') {
      options.onFault?.({ request: kind, cause: outcome.cause, detail: outcome.detail });
    }
    return outcome;
  };
  const batches = createGlanceBatches({
    maxQueued,
    run: async (heads) => {
      const outcome = await run({
        owner: allOwners,
        request: { kind: 'glance', heads },
        transfer: heads.map(({ buffer }) => buffer),
      });
      if (outcome.kind === 'failed') return outcome.cause;
      return outcome.answer.kind === 'glance' ? outcome.answer.glances : 'crashed';
    },
  });
  return {
    async parse(raw, { owner, ownsRaw = false }) {
      // Taken before the bytes are given away: what is left to tell when the worker fails.
      const head = ownBytes(raw.subarray(0, ownsRaw ? headBytes : 0), false);
      const bytes = ownBytes(raw, ownsRaw);
      const request = { kind: 'parse', raw: bytes } as const;
      const outcome = await run({ owner, request, transfer: [bytes.buffer] });
      if (outcome.kind === 'answer' && outcome.answer.kind === 'parse') return outcome.answer.message;
      return failedMessage(ownsRaw ? head : raw.subarray(0, headBytes), toParseOutcome(outcome));
    },
    glance: (head, owner) => batches.glance(head.subarray(0, rawChunkBytes), owner),
    search: async (text, part, owner) => {
      if (text.length <= maxSearchedHereChars) return holdsText(text, part);
      const outcome = await run({ owner, request: { kind: 'search', text, part } });
      return outcome.kind === 'answer' && outcome.answer.kind === 'search' && outcome.answer.isFound;
    },
    expectGlances: (keepMs) => {
      glancers.warm(keepMs);
    },
    expectReads: (keepMs) => {
      readers.warm(keepMs);
    },
    close: async () => {
      await Promise.all([readers.close(), glancers.close()]);
    },
  };
}

/** Bytes whose buffer holds nothing else, so that it can be moved: a Buffer may share its memory with others. */
function ownBytes(bytes: Uint8Array, isOwned: boolean): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (isOwned && buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) {
    return new Uint8Array(buffer);
  }
  return new Uint8Array(bytes);
}

function toParseOutcome(outcome: RunOutcome<ParserAnswer>): ParseOutcome {
  return outcome.kind === 'failed' && outcome.cause === 'slow'
    ? { status: 'failed', reason: outcome.detail, isProvisional: true }
    : { status: 'failed', reason: 'the parser failed on it' };
}

/** What is left to show of a message whose parse failed; it is still listed, readable as raw, and deletable. */
function failedMessage(head: Uint8Array, parse: ParseOutcome): ParsedMessage {
  const { senderName, senderEmail, subject } = readSummary(
    Buffer.from(head.buffer, head.byteOffset, head.byteLength),
  );
  const hasSender = senderName !== '' || senderEmail !== '';
  return {
    subject,
    from: hasSender ? { name: senderName, email: senderEmail } : null,
    to: [],
    cc: [],
    replyTo: [],
    date: null,
    messageId: null,
    headers: [],
    text: '',
    html: null,
    attachments: [],
    codes: [],
    links: [],
    glance: null,
    parse,
  };
}
