import { describe, expect, it } from 'vitest';

import { readEventStream, type ServerEvent } from './read-event-stream.ts';

const minuteMs = 60_000;
const stream =
  'retry: 2000\nid: 4\n\n:\n\nid: 5\nevent: message.received\ndata: {"id":5}\n\nid: 6\nevent: message.deleted\ndata: {"id":5}\n\n';
const expected: ServerEvent[] = [
  { kind: 'message.received', id: '5', data: '{"id":5}' },
  { kind: 'message.deleted', id: '6', data: '{"id":5}' },
];

async function read(...pieces: string[]): Promise<{ events: ServerEvent[]; retryMs: number | undefined }> {
  const events: ServerEvent[] = [];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const retryMs = await readEventStream(body, {
    onEvent: (event) => events.push(event),
    onSign: () => undefined,
    greetingMs: minuteMs,
    silenceMs: minuteMs,
  });
  return { events, retryMs };
}

describe('event stream', () => {
  it('tells events, ids and the time to come back', async () => {
    expect(await read(stream)).toEqual({ events: expected, retryMs: 2000 });
  });

  it('tells the same from any pieces', async () => {
    for (let size = 1; size < 20; size++) {
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
        stream.slice(at * size, (at + 1) * size),
      );
      expect(await read(...pieces)).toEqual({ events: expected, retryMs: 2000 });
    }
  });

  it('takes CRLF and CR as line ends, CRLF across pieces as one', async () => {
    const crlf = await read('data: a\r', '\n\r\ndata: b\r\n\r\n');
    expect(crlf.events).toEqual([
      { kind: 'message', id: '', data: 'a' },
      { kind: 'message', id: '', data: 'b' },
    ]);
    const cr = await read('data: a\rdata: b\r\rx');
    expect(cr.events).toEqual([{ kind: 'message', id: '', data: 'a\nb' }]);
  });

  it('passes over a byte order mark at the beginning', async () => {
    const { events } = await read('\ufeffdata: a\n\n');
    expect(events).toEqual([{ kind: 'message', id: '', data: 'a' }]);
  });

  it('joins lines of data, cuts one space and passes over unknown fields and comments', async () => {
    const { events } = await read(': hello\nnonsense\nfoo: bar\ndata:  a\ndata\ndata:b\n\n');
    expect(events).toEqual([{ kind: 'message', id: '', data: ' a\n\nb' }]);
  });

  it('keeps the last id for events without one, and forgets the kind of one without data', async () => {
    const { events } = await read('id: 7\ndata: a\n\nevent: x\n\ndata: b\n\nid: 8\0\ndata: c\n\n');
    expect(events).toEqual([
      { kind: 'message', id: '7', data: 'a' },
      { kind: 'message', id: '7', data: 'b' },
      { kind: 'message', id: '7', data: 'c' },
    ]);
  });

  it('passes over a time to come back that is none', async () => {
    for (const value of ['soon', '-1', '1e3', '9999999999']) {
      expect((await read(`retry: ${value}\n\n`)).retryMs).toBeUndefined();
    }
  });

  it('gives up on a line without an end, and on an event of many lines', async () => {
    await expect(read(...new Array<string>(20).fill('x'.repeat(100_000)))).rejects.toThrow(RangeError);
    const line = `data: ${'x'.repeat(100_000)}\n`;
    await expect(read(...new Array<string>(20).fill(line))).rejects.toThrow(RangeError);
  });
});
