// A collector of traces for tests: accepts OTLP over HTTP in JSON, keeps each body byte for byte and its spans, and
// responds as configured.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { serveForTest } from './local-server.ts';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly seconds: number;
  readonly hasFailed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface TraceSink {
  readonly url: string;
  readonly bodies: string[];
  readonly contentTypes: (string | undefined)[];
  readonly spans: ReceivedSpan[];
  answer: (response: ServerResponse) => void;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
}

interface OtlpSpan extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'kind'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: OtlpValue }[];
  readonly status?: { readonly code: number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export async function startTraceSink(): Promise<TraceSink> {
  const port = await serveForTest((request, response) => {
    void readText(request).then((body) => {
      sink.bodies.push(body);
      sink.contentTypes.push(request.headers['content-type']);
      sink.spans.push(...decode(body));
      sink.answer(response);
    });
  });
  const sink: TraceSink = {
    url: `http://127.0.0.1:${port}/v1/traces`,
    bodies: [],
    contentTypes: [],
    spans: [],
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  };
  return sink;
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function decode(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as OtlpRequest;
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(toReceived)));
}

function toReceived(span: OtlpSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind } = span;
  const nanoseconds = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    seconds: Number(nanoseconds) / 1e9,
    hasFailed: span.status?.code === 2,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, toPlain(value)])),
  };
}

function toPlain({ stringValue, intValue, doubleValue }: OtlpValue): string | number {
  return stringValue ?? (intValue === undefined ? (doubleValue ?? NaN) : Number(intValue));
}
