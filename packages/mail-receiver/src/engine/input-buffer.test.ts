import { describe, expect, it } from 'vitest';

import { InputBuffer } from './input-buffer.ts';

function bufferOf(...pieces: readonly string[]): InputBuffer {
  const input = new InputBuffer();
  for (const piece of pieces) input.push(Buffer.from(piece, 'latin1'));
  return input;
}

describe('lines', () => {
  it('come one by one, however they were cut, and what is no line waits', () => {
    const text = 'EHLO a\r\n\r\nNOOP\r\nQUI';
    for (let at = 0; at <= text.length; at++) {
      const input = bufferOf(text.slice(0, at), text.slice(at));
      expect([input.takeLine(), input.takeLine(), input.takeLine(), input.takeLine()]).toEqual([
        { text: 'EHLO a' },
        { text: '' },
        { text: 'NOOP' },
        undefined,
      ]);
      expect(input.waitingBytes).toBe(3);
    }
  });

  it.each([
    ['a bare LF', 'NOOP\n', false],
    ['nothing but LF', '\n', false],
    ['a NUL', 'NO\0OP\r\n', false],
    ['a CR within', 'NO\rOP\r\n', false],
    ['a byte that is not UTF-8', 'NO\xffOP\r\n', false],
    ['more than 2,048 bytes', `${'x'.repeat(2048)}\r\n`, true],
    ['more than 2,048 bytes and no end', 'x'.repeat(2049), true],
  ])('with %s are refused', (_, text, isFatal) => {
    expect(bufferOf(text).takeLine()).toMatchObject({ isFatal });
  });

  it('are read up to 2,047 bytes and CR LF, and awaited no longer without an end', () => {
    expect(bufferOf(`${'x'.repeat(2047)}\r\n`).takeLine()).toEqual({ text: 'x'.repeat(2047) });
    expect(bufferOf('x'.repeat(2048)).takeLine()).toBeUndefined();
  });

  it('may hold UTF-8', () => {
    const input = new InputBuffer();
    input.push(Buffer.from('MAIL FROM:<jörg@b.test>\r\n'));
    expect(input.takeLine()).toEqual({ text: 'MAIL FROM:<jörg@b.test>' });
  });
});

describe('reading', () => {
  it('goes on where it was left', () => {
    const input = bufferOf('NOOP\r\nabcdef');
    input.takeLine();
    const seen: string[] = [];
    const readTwo = (bytes: Buffer, at: number): number => {
      seen.push(bytes.toString('latin1', at, at + 2));
      return at + 2;
    };
    input.read(readTwo);
    input.read(readTwo);
    expect(input.waitingBytes).toBe(2);
    input.push(Buffer.from('g'));
    input.read((bytes, at) => {
      seen.push(bytes.toString('latin1', at));
      return -1;
    });
    expect(seen).toEqual(['ab', 'cd', 'efg']);
    expect(input.waitingBytes).toBe(0);
  });

  it('hands over nothing where nothing waits', () => {
    const input = bufferOf('NOOP\r\n');
    input.takeLine();
    input.read(() => expect.unreachable());
    expect(input.waitingBytes).toBe(0);
  });

  it('finds nothing once it was cleared', () => {
    const input = bufferOf('NOOP\r\nRSET\r\n');
    input.takeLine();
    input.clear();
    expect([input.waitingBytes, input.takeLine()]).toEqual([0, undefined]);
    input.push(Buffer.from('QUIT\r\n'));
    expect(input.takeLine()).toEqual({ text: 'QUIT' });
  });
});
