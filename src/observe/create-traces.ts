// Keeps spans until they are sent, some hundreds at a time, from a queue that is bounded: a collector that is slow, down
// or gone costs spans, which are counted, and nothing else. Loaded by start-traces.ts alone, and only where traces are on.

import type { Logger } from './logger.ts';
import type { CellFamily } from './metric-families.ts';
import { type FinishedSpan, toOtlpJson, type TraceSource } from './otlp-spans.ts';
import { createRoot, createSpanId, isInShare, parseTraceparent } from './trace-context.ts';
import type { Span, Traces } from './traces.ts';

/** `refused`: the same would be refused again. `reason` is fit for the log. */
export type SendOutcome =
  { readonly outcome: 'sent' } | { readonly outcome: 'refused' | 'unavailable'; readonly reason: string };

export interface TracesOptions {
  /** Posts one body. Never rejects; bounded in time, and ends early when the signal is aborted. */
  readonly send: (body: string, signal: AbortSignal) => Promise<SendOutcome>;
  /** Of traces that are kept, 0 to 1. */
  readonly share: number;
  readonly source: TraceSource;
  /** By outcome: sent, refused, dropped. */
  readonly spans: CellFamily;
  readonly log: Logger;
  readonly times?: TraceTimes;
}

/** All in ms. */
export interface TraceTimes {
  /** From the first span that waits to its sending; also from a failure to the next try. */
  readonly sendEveryMs: number;
  readonly closeMs: number;
  readonly logEveryMs: number;
}

const usualTimes: TraceTimes = { sendEveryMs: 5000, closeMs: 2000, logEveryMs: 60_000 };
/** The defaults of OpenTelemetry's own batches. */
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
  // Both clocks now, not at the start of the process: one of them may have been set since.
  const epoch = Date.now() - performance.now();
  const spanId = createSpanId();
  into.push({
    ...{ traceId, spanId, parentSpanId, name, kind, attributes, hasFailed },
    startedAtMs: epoch + startedAt,
    endedAtMs: epoch + endedAt,
  });
  for (const child of children) finish(child, { traceId, parentSpanId: spanId }, into);
}

class SpanSender {
  readonly #options: TracesOptions;
  readonly #times: TraceTimes;
  readonly #abort = new AbortController();
  /** Those under way are still in it: they go once they are taken. */
  #queue: FinishedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;
  #toldAt = -Infinity;

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
    // Not on the path of whoever added the last of them.
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
    if (result.outcome !== 'sent') this.#tell(result.reason);
    if (result.outcome === 'unavailable') return;
    this.#queue = this.#queue.slice(batch.length);
    this.#count(result.outcome, batch.length);
  }

  #tell(reason: string): void {
    const now = performance.now();
    if (now - this.#toldAt < this.#times.logEveryMs) return;
    this.#toldAt = now;
    this.#options.log.warn('traces.not_sent', { reason, waiting: this.#queue.length });
  }

  #count(outcome: 'sent' | 'refused' | 'dropped', spans: number): void {
    if (spans > 0) this.#options.spans.of(outcome).value += spans;
  }
}
