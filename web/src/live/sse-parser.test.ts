import { describe, expect, it } from 'vitest';

import { createSseParser, type ServerEvent } from './sse-parser.ts';

const stream =
  'retry: 2000\nid: 4\n\n:\n\nid: 5\nevent: message.received\ndata: {"id":5}\n\nid: 6\nevent: message.deleted\ndata: {"id":5}\n\n';
const told: ServerEvent[] = [
  { kind: 'message.received', id: '5', data: '{"id":5}' },
  { kind: 'message.deleted', id: '6', data: '{"id":5}' },
];

describe('SSE parser', () => {
  it('reads events, ids and the time to come back', () => {
    const parser = createSseParser();
    expect(parser.push(stream)).toEqual(told);
    expect(parser.retryMs).toBe(2000);
  });

  it('reads the same from any pieces', () => {
    for (let size = 1; size < 20; size++) {
      const parser = createSseParser();
      const events: ServerEvent[] = [];
      for (let at = 0; at < stream.length; at += size) {
        events.push(...parser.push(stream.slice(at, at + size)));
      }
      expect(events).toEqual(told);
    }
  });

  it('takes CRLF and CR as line ends, CRLF across pieces as one', () => {
    const crlf = createSseParser();
    expect(crlf.push('data: a\r')).toEqual([]);
    expect(crlf.push('\n\r\ndata: b\r\n\r\n')).toEqual([
      { kind: 'message', id: '', data: 'a' },
      { kind: 'message', id: '', data: 'b' },
    ]);
    expect(createSseParser().push('data: a\rdata: b\r\rx')).toEqual([
      { kind: 'message', id: '', data: 'a\nb' },
    ]);
  });

  it('joins lines of data, cuts one space and passes over unknown fields and comments', () => {
    expect(createSseParser().push(': hello\nnonsense\nfoo: bar\ndata:  a\ndata\ndata:b\n\n')).toEqual([
      { kind: 'message', id: '', data: ' a\n\nb' },
    ]);
  });

  it('gives nothing for an event without data and forgets its kind', () => {
    expect(createSseParser().push('event: x\n\ndata: y\n\n')).toEqual([
      { kind: 'message', id: '', data: 'y' },
    ]);
  });

  it('gives up on a line without an end', () => {
    const parser = createSseParser();
    expect(() => {
      for (let i = 0; i < 20; i++) parser.push('x'.repeat(100_000));
    }).toThrow(RangeError);
  });
});
