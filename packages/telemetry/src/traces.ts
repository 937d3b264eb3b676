// Defines spans, which are reported once the work is done: none is ever open or passed along, and no part of this
// exists while traces are off. Implemented by create-traces.ts.

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** Never a token, an address, a subject, a URL or other text from outside. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

export interface Span {
  readonly name: string;
  readonly kind: SpanKind;
  /** By `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes?: SpanAttributes;
  /** Set when the work failed in a way that the operator should be aware of. */
  readonly hasFailed?: boolean;
  readonly children?: readonly Span[];
}

export interface Traces {
  /**
   * Cheap, never throws and never waits.
   * @param traceparent as sent by a trusted proxy, possibly on behalf of a stranger; ignored when malformed
   */
  record(span: Span, traceparent?: string): void;
  /** Sends waiting spans within 2 s. Later ones are lost. */
  close(): Promise<void>;
}

/** Times parts of work that is a span itself. */
export interface Stages {
  time<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Work that may be timed. */
export type Traced<T> = T & { readonly stages?: Stages | undefined };
