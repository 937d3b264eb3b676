import { expect, it } from 'vitest';

import { addLines, type LogLine, missedLine, parseLogLine } from './log-lines.ts';

const time = '2026-01-01T00:00:00.000Z';

it('parses a line with its fields and its error', () => {
  const data = {
    level: 'warn',
    time,
    event: 'a.b',
    count: 2,
    error: { message: 'No.', stack: 'Error: No.' },
  };
  expect(parseLogLine('r.1', JSON.stringify(data))).toEqual({
    id: 'r.1',
    level: 'warn',
    at: Date.parse(time),
    event: 'a.b',
    fields: [
      ['count', '2'],
      ['error', 'No.'],
    ],
    stack: 'Error: No.',
  });
});

it('takes what is no JSON for no line', () => {
  expect(parseLogLine('r.1', 'plain')).toBeUndefined();
});

it('keeps the newest lines, the newest first, each once', () => {
  const line = (id: number): LogLine => missedLine(String(id), '{"count":1}', 0);
  const first = addLines([], [line(1), line(2)]);
  expect(addLines(first, [line(2), line(3)]).map(({ id }) => id)).toEqual(['3', '2', '1']);
  const many = Array.from({ length: 1000 }, (_, at) => line(at));
  const kept = addLines([], many);
  expect([kept.length, kept[0]?.id]).toEqual([500, '999']);
});
