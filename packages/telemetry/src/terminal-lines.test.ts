import { expect, it } from 'vitest';

import { toTerminalLine } from './terminal-lines.ts';

const time = '2026-01-02T03:04:05.678Z';
const clock = new Date(time).toTimeString().slice(0, 8);

function format(fields: object, hasColour = false): string {
  return toTerminalLine(`${JSON.stringify({ level: 'warn', time, ...fields })}\n`, hasColour);
}

it('shows time, level, event and fields on one line', () => {
  expect(format({ event: 'smtp.refused', connection: 'a1', size: 5, reply: '550 no' })).toBe(
    `${clock} WARN  smtp.refused connection=a1 size=5 reply="550 no"\n`,
  );
});

it('shows the stack of an error below it, and anything that is no JSON unchanged', () => {
  expect(format({ event: 'http.failed', error: { message: 'x', stack: 'Error: x\n    at y' } })).toBe(
    `${clock} WARN  http.failed\n  Error: x\n      at y\n`,
  );
  expect(toTerminalLine('plain\n', true)).toBe('plain\n');
});

it('lets no field act on the terminal, and uses colours only where asked', () => {
  const hostile = 'a\x1b[31m\r\n\x9b2J\u202e b=1';
  const line = format({ event: 'x', helo: hostile, error: { stack: 'E\x1b]0;title\x07' } });
  expect(line).toContain(String.raw`helo="a\u001b[31m\r\n\u009b2J\u202e b=1"`);
  expect(line).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  expect(format({ event: 'x' }, true)).toContain('\x1b[33mWARN ');
});
