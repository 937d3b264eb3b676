import { expect, it } from 'vitest';

import { readSeenMessage } from './visible-message.ts';

const plain = 'Content-Type: text/plain; charset=utf-8\r\n\r\nPlain words\r\n';
const html = 'Content-Type: text/html\r\n\r\n<p>Seen words</p><p style="display:none">Hidden words</p>\r\n';
const multipart = (kind: string, ...parts: readonly string[]) =>
  Buffer.from(
    `Subject: x\r\nContent-Type: multipart/${kind}; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}`).join('')}--b--\r\n`,
  );

it.each([
  { of: 'plain text', raw: Buffer.from(plain), text: 'Plain words', hidden: { style: 0, alternative: 0 } },
  { of: 'HTML', raw: Buffer.from(html), text: 'Seen words', hidden: { style: 11, alternative: 0 } },
  {
    of: 'alternatives',
    raw: multipart('alternative', plain, html),
    text: 'Seen words',
    hidden: { style: 11, alternative: 5 },
  },
  {
    of: 'both after each other',
    raw: multipart('mixed', plain, html),
    text: 'Plain words\n\nSeen words',
    hidden: { style: 11, alternative: 0 },
  },
  { of: 'nothing', raw: Buffer.from('Subject: x\r\n\r\n'), text: '', hidden: { style: 0, alternative: 0 } },
])('shows of $of what a mail program shows', ({ raw, text, hidden }) => {
  const seen = readSeenMessage(raw);
  expect(seen?.text.trim()).toBe(text);
  expect(seen?.hidden).toEqual({ ...hidden, markup: 0 });
});

it('reports markup built to be costly', () => {
  const raw = Buffer.from(`Content-Type: text/html\r\n\r\n${'<div>'.repeat(2_000)}`);
  expect(readSeenMessage(raw)).toBeUndefined();
});
