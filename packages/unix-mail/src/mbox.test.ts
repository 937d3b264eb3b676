import { expect, it } from 'vitest';

import { MboxMessage, mboxSeparator } from './mbox.ts';

function convert(text: string, pieceBytes: number): string {
  const bytes = Buffer.from(text, 'latin1');
  const message = new MboxMessage();
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(message.push(bytes.subarray(at, at + pieceBytes)));
  }
  return Buffer.concat([...pieces, message.end()]).toString('latin1');
}

/** As a reader of mboxrd undoes it. */
function unquote(mbox: string): string {
  return mbox.replace(/^>(>*From )/gm, '$1');
}

const messages: readonly [name: string, text: string, mbox: string][] = [
  ['plain lines', 'A: b\r\n\r\nhello\r\n', 'A: b\n\nhello\n\n'],
  [
    'lines of From',
    'A: b\r\n\r\nFrom me\r\n>From you\r\n From us\r\n',
    'A: b\n\n>From me\n>>From you\n From us\n\n',
  ],
  ['no line end at the end', 'A: b\r\n\r\nFrom here', 'A: b\n\n>From here\n\n'],
  ['bare CR and LF', 'A: b\r\n\r\na\rb\nFrom c\r\r\n\r', 'A: b\n\na\rb\n>From c\r\n\r\n\n'],
  ['only quotes at the end', 'A: b\r\n\r\n>>>', 'A: b\n\n>>>\n\n'],
  ['the beginning of a separator at the end', 'A: b\r\n\r\n>From', 'A: b\n\n>From\n\n'],
  ['an empty message', '', '\n'],
];

it.each(messages)('writes %s the same however the bytes are split', (_name, text, mbox) => {
  for (const size of [1, 2, 3, 5, 7, 1000]) expect(convert(text, size)).toBe(mbox);
});

it('loses nothing but the form of line ends', () => {
  const text = 'A: b\r\n\r\nFrom a\r\n>From b\r\n>>>From c\r\n> From d\r\nFromage\r\n';
  expect(unquote(convert(text, 4))).toBe(`${text.replaceAll('\r\n', '\n')}\n`);
});

it('separates messages by sender and time', () => {
  const at = Date.UTC(2026, 2, 1, 9, 5, 3);
  expect(mboxSeparator({ sender: 'a@b.example', receivedAt: at }).toString()).toBe(
    'From a@b.example Sun Mar  1 09:05:03 2026\n',
  );
  expect(mboxSeparator({ sender: null, receivedAt: at }).toString()).toMatch(/^From MAILER-DAEMON Sun/);
  expect(mboxSeparator({ sender: 'a b\r\n@c', receivedAt: at }).toString()).toMatch(/^From ab@c Sun/);
});
