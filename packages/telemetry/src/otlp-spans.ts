// Spans in the JSON of OTLP 1.x (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids in hexadecimal,
// whole numbers of 64 bits as text, enumerations as numbers. Used by create-traces.ts.

import type { SpanAttributes, SpanKind } from './traces.ts';

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly attributes: SpanAttributes;
  readonly hasFailed: boolean;
}

/** The sender of spans. */
export interface TraceSource {
  readonly name: string;
  readonly version: string;
  readonly attributes: SpanAttributes;
}

/** `SpanKind` of trace.proto. */
const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
/** `Status.StatusCode` of trace.proto; unset is omitted. */
const statusError = 2;

/** Returns the body of one ExportTraceServiceRequest. */
export function toOtlpJson(spans: readonly FinishedSpan[], source: TraceSource): string {
  const { name, version, attributes } = source;
  const resource = { 'service.name': name, 'service.version': version, ...attributes };
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name, version }, spans: spans.map(toSpan) }],
      },
    ],
  });
}

function toSpan(span: FinishedSpan) {
  const { traceId, spanId, parentSpanId, name, kind, startedAtMs, endedAtMs, attributes, hasFailed } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanoseconds(startedAtMs),
    endTimeUnixNano: toNanoseconds(endedAtMs),
    attributes: toAttributes(attributes),
    ...(hasFailed ? { status: { code: statusError } } : {}),
  };
}

/** With microsecond precision: nanoseconds since 1970 exceed a double's. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function toAttributes(attributes: SpanAttributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: string | number) {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
