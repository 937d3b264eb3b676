// What the parts tell of their work for traces, once it is done: no span is ever open, none is carried along, and where
// traces are off (`Metrics.traces` is absent) nothing of this exists. Implemented by create-traces.ts.

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** Never a token, an address, a subject, a URL or anything else that somebody wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

export interface Span {
  readonly name: string;
  readonly kind: SpanKind;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes?: SpanAttributes;
  /** It did not do its work, by a fault that the operator should know of. */
  readonly hasFailed?: boolean;
  readonly children?: readonly Span[];
}

export interface Traces {
  /**
   * Cheap, never throws and never waits.
   * @param traceparent as a trusted proxy sent it, perhaps from a stranger: what is not well-formed is as good as none
   */
  record(span: Span, traceparent?: string): void;
  /** Sends what waits, within 2 s. What is recorded afterwards is lost. */
  close(): Promise<void>;
}

/** Times parts of a piece of work that is a span itself. */
export interface Stages {
  time<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Work that somebody may want timed. */
export type Traced<T> = T & { readonly stages?: Stages | undefined };
