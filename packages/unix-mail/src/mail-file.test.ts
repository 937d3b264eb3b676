import { expect, it } from 'vitest';

import { readMailFile } from './mail-file.ts';

const read = (text: string): string =>
  Buffer.concat([...readMailFile(Buffer.from(text, 'latin1'))]).toString('latin1');

it.each([
  ['keeps CR LF', 'A: b\r\n\r\nc\r\n', 'A: b\r\n\r\nc\r\n'],
  ['ends lines with CR LF', 'A: b\n\nc\n\n', 'A: b\r\n\r\nc\r\n\r\n'],
  ['takes lines that were converted twice', 'A: b\r\r\n\r\r\nc\r\r\n', 'A: b\r\n\r\nc\r\n'],
  ['takes mixed line ends', 'A: b\r\nB: c\nC: d\r\r\n\n', 'A: b\r\nB: c\r\nC: d\r\n\r\n'],
  ['keeps a CR within a line', 'A: b\n\nc\rd\n', 'A: b\r\n\r\nc\rd\r\n'],
  ['keeps an open last line', 'A: b\n\nc', 'A: b\r\n\r\nc'],
  ['leaves the separator of an mbox file out', 'From me Sun\nA: b\n\nc\n', 'A: b\r\n\r\nc\r\n'],
  ['leaves a byte order mark out', '\xef\xbb\xbfA: b\n\nc\n', 'A: b\r\n\r\nc\r\n'],
  ['keeps every byte', 'A: \xff\x00\n\n\x80\n', 'A: \xff\x00\r\n\r\n\x80\r\n'],
  ['reads nothing from an empty file', '', ''],
])('%s', (_name, file, message) => {
  expect(read(file)).toBe(message);
});

it('reads a large file in pieces without splitting a line end', () => {
  const line = `${'x'.repeat(97)}\r\n`;
  const file = line.repeat(30_000);
  const pieces = [...readMailFile(Buffer.from(file, 'latin1'))];
  expect(pieces.length).toBeGreaterThan(2);
  expect(Buffer.concat(pieces).toString('latin1')).toBe(file);
});
