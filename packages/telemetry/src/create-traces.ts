// Queues spans, within a bound, and sends them a few hundred at a time. A slow, failing or absent collector costs only
// spans, which are counted.

import type { Logger } from './logger.ts';
import type { CellFamily } from './metric-families.ts';
import { type FinishedSpan, toOtlpJson, type TraceSource } from './otlp-spans.ts';
import { createRoot, createSpanId, isInShare, parseTraceparent } from './trace-context.ts';
import type { Span, Traces } from './traces.ts';

/** `refused`: a retry would be refused too. `reason` may be logged. */
export type SendOutcome =
  { readonly outcome: 'sent' } | { readonly outcome: 'refused' | 'unavailable'; readonly reason: string };

export interface TracesOptions {
  /** Posts one body. Never rejects; bounded in time, and ends early when the signal aborts. */
  readonly send: (body: string, signal: AbortSignal) => Promise<SendOutcome>;
  /** The share of traces kept, 0 to 1. */
  readonly share: number;
  readonly source: TraceSource;
  /** By outcome: sent, refused, dropped. */
  readonly spans: CellFamily;
  readonly log: Logger;
  readonly times?: TraceTimes;
}

/** All in ms. */
export interface TraceTimes {
  /** From the first waiting span to the sending, and from a failure to the next try. */
  readonly sendEveryMs: number;
  readonly closeMs: number;
  readonly logEveryMs: number;
}

const usualTimes: TraceTimes = { sendEveryMs: 5000, closeMs: 2000, logEveryMs: 60_000 };
/** The defaults of OpenTelemetry's batch processor. */
export const queueMax = 2048;
const batchMax = 512;

export function createTraces(options: TracesOptions): Traces {
  const { share } = options;
  const sender = new SpanSender(options);
  return {
    record: (span, traceparent) => {
      const context = (traceparent === undefined ? undefined : parseTraceparent(traceparent)) ?? createRoot();
      if (!context.isKeptByCaller || !isInShare(context.traceId, share)) return;
      const finished: FinishedSpan[] = [];
      finish(span, context, finished);
      sender.add(finished);
    },
    close: () => sender.close(),
  };
}

type Parent = Pick<FinishedSpan, 'traceId' | 'parentSpanId'>;

/** Parents before children. */
function finish(span: Span, { traceId, parentSpanId }: Parent, into: FinishedSpan[]): void {
  const { name, kind, startedAt, endedAt, attributes = {}, hasFailed = false, children = [] } = span;
  // Read both clocks now: one may have been set since the process started.
  const epoch = Date.now() - performance.now();
  const spanId = createSpanId();
  into.push({
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    attributes,
    hasFailed,
    startedAtMs: epoch + startedAt,
    endedAtMs: epoch + endedAt,
  });
  for (const child of children) finish(child, { traceId, parentSpanId: spanId }, into);
}

class SpanSender {
  readonly #options: TracesOptions;
  readonly #times: TraceTimes;
  readonly #abort = new AbortController();
  /** Includes spans being sent; they are removed once accepted. */
  #queue: FinishedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;
  #loggedAt = -Infinity;

  constructor(options: TracesOptions) {
    this.#options = options;
    this.#times = options.times ?? usualTimes;
  }

  add(spans: readonly FinishedSpan[]): void {
    if (this.#isClosed || this.#queue.length + spans.length > queueMax) {
      this.#count('dropped', spans.length);
      return;
    }
    this.#queue.push(...spans);
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const deadline = setTimeout(() => {
      this.#abort.abort();
    }, this.#times.closeMs);
    await this.#sending;
    while (this.#queue.length > 0 && !this.#abort.signal.aborted) {
      await this.#sendBatch();
      if (this.#hasFailed) break;
    }
    clearTimeout(deadline);
    this.#count('dropped', this.#queue.length);
    this.#queue = [];
  }

  #schedule(): void {
    if (this.#isClosed || this.#sending || this.#queue.length === 0) return;
    const isDue = this.#queue.length >= batchMax && !this.#hasFailed;
    if (!isDue) {
      this.#timer ??= setTimeout(this.#start, this.#times.sendEveryMs).unref();
      return;
    }
    clearTimeout(this.#timer);
    // In a later turn, so as not to delay the caller that added the last span.
    this.#sending = new Promise((resolve) => setImmediate(resolve)).then(() => this.#run());
  }

  readonly #start = (): void => {
    this.#sending = this.#run();
  };

  async #run(): Promise<void> {
    this.#timer = undefined;
    await this.#sendBatch();
    this.#sending = undefined;
    this.#schedule();
  }

  async #sendBatch(): Promise<void> {
    const { send, source } = this.#options;
    const batch = this.#queue.slice(0, batchMax);
    const result = await send(toOtlpJson(batch, source), this.#abort.signal);
    this.#hasFailed = result.outcome === 'unavailable';
    if (result.outcome !== 'sent') this.#logFailure(result.reason);
    if (result.outcome === 'unavailable') return;
    this.#queue = this.#queue.slice(batch.length);
    this.#count(result.outcome, batch.length);
  }

  #logFailure(reason: string): void {
    const now = performance.now();
    if (now - this.#loggedAt < this.#times.logEveryMs) return;
    this.#loggedAt = now;
    this.#options.log.warn('traces.not_sent', { reason, waiting: this.#queue.length });
  }

  #count(outcome: 'sent' | 'refused' | 'dropped', spans: number): void {
    if (spans > 0) this.#options.spans.of(outcome).value += spans;
  }
}
