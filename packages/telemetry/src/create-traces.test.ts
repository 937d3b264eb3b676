import { describe, expect, it } from 'vitest';

import { createTraces, queueMax, type SendOutcome, type TracesOptions } from './create-traces.ts';
import { MetricRegistry } from './metric-registry.ts';
import type { Span } from './traces.ts';

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly object[] };
    readonly scopeSpans: readonly { readonly spans: readonly Record<string, unknown>[] }[];
  }[];
}

/** Starts a collector with scripted answers; `sends` are the bodies, oldest first. */
function startCollector(options: Partial<TracesOptions> = {}) {
  const traceSpans = new MetricRegistry().counter('spans_total', 'Spans.', 'outcome');
  const sends: Sent[] = [];
  const logged: string[] = [];
  const collector = {
    answer: (_signal: AbortSignal): Promise<SendOutcome> => Promise.resolve({ outcome: 'sent' }),
  };
  const note = (event: string): void => void logged.push(event);
  const traces = createTraces({
    send: (body, signal) => {
      sends.push(JSON.parse(body) as Sent);
      return collector.answer(signal);
    },
    share: 1,
    source: { name: 'mayfly', version: '1.2.3', attributes: { 'host.name': 'node' } },
    spans: traceSpans,
    log: { debug: note, info: note, warn: note, error: note },
    times: { sendEveryMs: 5, closeMs: 100, logEveryMs: 60_000 },
    ...options,
  });
  const spans = () => sends.flatMap((sent) => spansOf(sent));
  const count = (outcome: string): number => traceSpans.of(outcome).value;
  return { traces, collector, sends, logged, spans, count };
}

function spansOf({ resourceSpans }: Sent) {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

function span(name: string, more: Partial<Span> = {}): Span {
  const endedAt = performance.now();
  return { name, kind: 'server', startedAt: endedAt - 20, endedAt, ...more };
}

const refusing = (): Promise<SendOutcome> => Promise.resolve({ outcome: 'refused', reason: 'answered 400' });
const failing = (): Promise<SendOutcome> =>
  Promise.resolve({ outcome: 'unavailable', reason: 'connection_failed' });
/** Answers only when it is broken off. */
const hanging = (signal: AbortSignal): Promise<SendOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ outcome: 'unavailable', reason: 'timed_out' });
    });
  });

describe('createTraces', () => {
  it('writes spans as OTLP wants them in JSON', async () => {
    const { traces, sends, spans, count } = startCollector();
    const before = Date.now();
    const attributes = { text: 'a', whole: 7, part: 0.5, none: undefined };
    traces.record(span('GET /x', { attributes, hasFailed: true }));
    await traces.close();
    const [one] = spans();
    expect(one).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      name: 'GET /x',
      kind: 2,
      startTimeUnixNano: expect.stringMatching(/^\d{19}$/) as string,
      endTimeUnixNano: expect.stringMatching(/^\d{19}$/) as string,
      attributes: [
        { key: 'text', value: { stringValue: 'a' } },
        { key: 'whole', value: { intValue: '7' } },
        { key: 'part', value: { doubleValue: 0.5 } },
      ],
      status: { code: 2 },
    });
    const [startedAt, endedAt] = [Number(one?.['startTimeUnixNano']), Number(one?.['endTimeUnixNano'])];
    expect((endedAt - startedAt) / 1e6).toBeCloseTo(20, 1);
    expect(Math.abs(endedAt / 1e6 - before)).toBeLessThan(60_000);
    expect(sends[0]?.resourceSpans[0]?.resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'mayfly' } },
      { key: 'service.version', value: { stringValue: '1.2.3' } },
      { key: 'host.name', value: { stringValue: 'node' } },
    ]);
    expect(count('sent')).toBe(1);
  });

  it('puts children below their parent, and the whole below the caller’s span', async () => {
    const { traces, spans } = startCollector();
    const children = [span('one'), span('two', { children: [span('three')] })];
    traces.record(span('all', { children }), `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`);
    await traces.close();
    const [all, one, two, three] = spans();
    expect(all).toMatchObject({ name: 'all', traceId: 'a1'.repeat(16), parentSpanId: 'b2'.repeat(8) });
    expect([one?.['parentSpanId'], two?.['parentSpanId']]).toEqual([all?.['spanId'], all?.['spanId']]);
    expect(three).toMatchObject({ name: 'three', parentSpanId: two?.['spanId'], traceId: 'a1'.repeat(16) });
    expect(new Set([all, one, two, three].map((each) => each?.['spanId'])).size).toBe(4);
  });

  it('makes a root where the caller’s field is malformed, and nothing where it keeps no trace', async () => {
    const { traces, spans } = startCollector();
    traces.record(span('root'), '00-nonsense');
    traces.record(span('not kept'), `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-00`);
    await traces.close();
    expect(spans().map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([['root', undefined]]);
  });

  it('keeps its share of traces, whole', async () => {
    const { traces, spans } = startCollector({ share: 0.5 });
    for (let n = 0; n < 400; n++) traces.record(span('parent', { children: [span('child')] }));
    await traces.close();
    const parents = spans().filter(({ name }) => name === 'parent');
    expect(parents.length).toBeGreaterThan(100);
    expect(parents.length).toBeLessThan(300);
    expect(spans()).toHaveLength(2 * parents.length);
  });

  it('sends by itself, some hundreds at most at once', async () => {
    const { traces, collector, sends, count } = startCollector();
    const all = new Promise<void>((resolve) => {
      collector.answer = () => {
        if (sends.flatMap((sent) => spansOf(sent)).length === 1200) resolve();
        return Promise.resolve({ outcome: 'sent' });
      };
    });
    for (let n = 0; n < 1200; n++) traces.record(span('x'));
    await all;
    await traces.close();
    expect(sends.map((sent) => spansOf(sent).length)).toEqual([512, 512, 176]);
    expect(count('sent')).toBe(1200);
  });

  it('tries again what a collector could not take just now, and sends each span once', async () => {
    const { traces, collector, spans, sends, logged, count } = startCollector();
    const again = new Promise<void>((resolve) => {
      collector.answer = () => {
        if (sends.length < 3) return failing();
        resolve();
        return Promise.resolve({ outcome: 'sent' });
      };
    });
    traces.record(span('x'));
    await again;
    await traces.close();
    expect(sends).toHaveLength(3);
    expect(new Set(spans().map(({ spanId }) => spanId)).size).toBe(1);
    expect([count('sent'), count('dropped')]).toEqual([1, 0]);
    expect(logged).toEqual(['traces.not_sent']);
  });

  it('does not send again what a collector refuses', async () => {
    const { traces, collector, sends, count } = startCollector();
    collector.answer = refusing;
    traces.record(span('x'));
    await traces.close();
    expect([sends.length, count('refused')]).toEqual([1, 1]);
  });

  it('holds no more than its queue while a collector does not answer, and closes in time', async () => {
    const { traces, collector, count } = startCollector();
    collector.answer = hanging;
    for (let n = 0; n < queueMax + 50; n++) traces.record(span('x'));
    expect(count('dropped')).toBe(50);
    await traces.close();
    expect([count('dropped'), count('sent')]).toEqual([queueMax + 50, 0]);
    traces.record(span('late'));
    expect(count('dropped')).toBe(queueMax + 51);
  });
});
