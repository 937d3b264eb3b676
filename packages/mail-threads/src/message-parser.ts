// Reads messages off the main thread: parses them, makes glances and extracts attachments. A thread that exceeds its
// time budget or dies costs only its own message, which is then answered as `failed`.
import { type BodyContents, holdsText, type ParsedMessage, type ParseOutcome } from '@mayfly/mail-reader';
import { readSummary } from '@mayfly/mail-reader/header';
import type { TurnOwner } from '../../networks/src/fair-queue.ts';
import type { RunOutcome } from '../../threads/src/pooled-worker.ts';
import { createGlanceBatches } from './glance-batches.ts';
import type { Bodies, ExaminedMessage, HeadGlance, ReaderAnswer, ReaderRequest } from './reader-protocol.ts';
import type { ReaderThreads } from './reader-threads.ts';
import { type PooledRequest, WorkerPool } from '../../threads/src/worker-pool.ts';
import type { ReportInput } from '../../mail-report/src/report-input.ts';
import type { MailReport } from '../../mail-report/src/report.ts';

export interface MessageParserOptions {
  readonly readers: ReaderThreads;
  /** Processor time per message. */
  timeBudgetMs: number;
  /** The most requests that may wait for a thread. */
  queuedMax?: number;
  /** Called for threads that were ended or died, for the log; `detail` contains nothing of the message. */
  onFault: (fault: ParserFault) => void;
}

export interface ParserFault {
  request: ReaderRequest['kind'];
  cause: 'slow' | 'crashed';
  detail: string;
}

export interface ParseOptions {
  readonly owner: TurnOwner;
  /** Whether `raw` is moved to the worker instead of copied, which leaves it empty. */
  ownsRaw?: boolean;
}

export interface ExamineOptions {
  readonly owner: TurnOwner;
  /** Searched for in the readable text and the names of attachments. */
  readonly parts: readonly string[];
}

/** Every method rejects with what `refuse` returns when too many requests wait or the parser is closed. */
export interface MessageParser {
  /** Never rejects because of the message: `parse.status` is `failed` instead. Its html is RAW and UNTRUSTED. */
  parse(raw: Uint8Array, options: ParseOptions): Promise<ParsedMessage>;
  /** From the first 256 KiB of a message at most; an empty glance when they cannot be read. */
  glance(head: Uint8Array, owner: TurnOwner): Promise<HeadGlance>;
  /** Reports whether the text contains the part, ignoring case and spacing. False when that takes too long. */
  search(text: string, part: string, owner: TurnOwner): Promise<boolean>;
  /** Returns the codes and links of each body. Empty when that takes too long. */
  contents(bodies: Bodies, owner: TurnOwner): Promise<BodyContents>;
  /**
   * Returns what a search needs from a whole message, whose `raw` is transferred; undefined when that takes too long.
   */
  examine(raw: Uint8Array, options: ExamineOptions): Promise<ExaminedMessage | undefined>;
  /** Returns a report; undefined when that takes too long. */
  report(input: ReportInput, owner: TurnOwner): Promise<MailReport | undefined>;
  /** Returns Mailpit's check of HTML or links as JSON; undefined when that takes too long, or is not possible. */
  checkForMailpit(check: 'html' | 'links', bodies: Bodies, owner: TurnOwner): Promise<string | undefined>;
  /** Rejects waiting requests. */
  close(): void;
}

const defaultQueuedMax = 256;
/** The start of a message, which its sender and subject are read from when it cannot be parsed. */
const headBytes = 64 * 1024;
const glanceMaxBytes = 256 * 1024;
/** The longest text searched here, which is cheaper than passing it to a thread. */
const searchedHereMaxChars = 4_096;
/** A caller that has had no turn within this time must retry. */
const waitMaxMs = 30_000;
/** Batches of glances are fair by themselves. */
const allOwners: TurnOwner = { session: '', network: '' };

/** Runs requests in the pool of their kind, large ones in turns. */
function createRunner({
  readers,
  timeBudgetMs,
  queuedMax = defaultQueuedMax,
  onFault,
}: MessageParserOptions) {
  const { threads, shares, refuse } = readers;
  const common = { threads, refuse, timeBudgetMs, queuedMax, waitMaxMs };
  const parsing = new WorkerPool({ ...common, atOnce: shares.parse });
  const glancing = new WorkerPool({ ...common, atOnce: shares.glance });
  return {
    run: async (given: PooledRequest<ReaderRequest>): Promise<RunOutcome<ReaderAnswer>> => {
      const { kind } = given.request;
      const pool = kind === 'glance' ? glancing : parsing;
      const outcome = await readers.run({ ...given, bytes: sizeOf(given.request), pool, timeBudgetMs });
      if (outcome.kind === 'failed') {
        onFault({ request: kind, cause: outcome.cause, detail: outcome.detail });
      }
      return outcome;
    },
    close: () => {
      parsing.close();
      glancing.close();
    },
  };
}

export function createMessageParser(options: MessageParserOptions): MessageParser {
  const { run, close } = createRunner(options);
  const { queuedMax = defaultQueuedMax } = options;
  const batches = createGlanceBatches({
    queuedMax,
    atOnce: options.readers.shares.glance,
    refuse: options.readers.refuse,
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
      // Copied before the bytes are transferred, as a fallback when the worker fails.
      const head = ownBytes(raw.subarray(0, ownsRaw ? headBytes : 0), false);
      const bytes = ownBytes(raw, ownsRaw);
      const request = { kind: 'parse', raw: bytes } as const;
      const outcome = await run({ owner, request, transfer: [bytes.buffer] });
      if (outcome.kind === 'answer' && outcome.answer.kind === 'parse') return outcome.answer.message;
      return failedMessage(ownsRaw ? head : raw.subarray(0, headBytes), toParseOutcome(outcome));
    },
    glance: (head, owner) => batches.glance(head.subarray(0, glanceMaxBytes), owner),
    examine: async (raw, { owner, parts }) => {
      const bytes = ownBytes(raw, true);
      const request = { kind: 'examine', raw: bytes, parts } as const;
      const outcome = await run({ owner, request, transfer: [bytes.buffer] });
      if (outcome.kind !== 'answer' || outcome.answer.kind !== 'examine') return undefined;
      return outcome.answer.facts;
    },
    search: async (text, part, owner) => {
      if (text.length <= searchedHereMaxChars) return holdsText(text, part);
      const outcome = await run({ owner, request: { kind: 'search', text, part } });
      return outcome.kind === 'answer' && outcome.answer.kind === 'search' && outcome.answer.isFound;
    },
    contents: async (bodies, owner) => {
      const outcome = await run({ owner, request: { kind: 'contents', bodies } });
      return outcome.kind === 'answer' && outcome.answer.kind === 'contents'
        ? outcome.answer.contents
        : noContents;
    },
    report: async (input, owner) => {
      const outcome = await run({ owner, request: { kind: 'report', input } });
      return outcome.kind === 'answer' && outcome.answer.kind === 'report'
        ? outcome.answer.report
        : undefined;
    },
    checkForMailpit: async (check, bodies, owner) => {
      const outcome = await run({ owner, request: { kind: 'mailpit', check, bodies } });
      return outcome.kind === 'answer' && outcome.answer.kind === 'mailpit' ? outcome.answer.json : undefined;
    },
    close,
  };
}

const noContents: BodyContents = {
  html: { links: [], images: [], codes: [] },
  text: { links: [], codes: [] },
};

/** Roughly; heads are bounded already, and sanitising is done elsewhere. */
function sizeOf(request: ReaderRequest): number {
  switch (request.kind) {
    case 'parse':
    case 'examine':
      return request.raw.length;
    case 'search':
      return request.text.length;
    case 'report':
      return request.input.html?.length ?? 0;
    case 'contents':
    case 'mailpit':
      return request.bodies.text.length + (request.bodies.html?.length ?? 0);
    case 'glance':
    case 'sanitise':
      return 0;
  }
}

/** Returns bytes in a buffer of their own, which can be transferred: a Buffer may share its memory with others. */
function ownBytes(bytes: Uint8Array, isOwned: boolean): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (isOwned && buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) {
    return new Uint8Array(buffer);
  }
  return new Uint8Array(bytes);
}

function toParseOutcome(outcome: RunOutcome<ReaderAnswer>): ParseOutcome {
  return outcome.kind === 'failed' && outcome.cause === 'slow'
    ? { status: 'failed', reason: outcome.detail, isProvisional: true }
    : { status: 'failed', reason: 'the parser failed on it' };
}

/** Returns what can be shown of a message whose parse failed; it is still listed, readable as raw, and deletable. */
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
    hasPlainText: false,
    html: null,
    attachments: [],
    codes: [],
    links: [],
    glance: null,
    parse,
  };
}
