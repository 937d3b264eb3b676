import { expect, it } from 'vitest';

import { attachmentDisposition } from './content-disposition.ts';

it.each([
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['a b.txt', 'attachment; filename="a b.txt"'],
  ['ä€.png', 'attachment; filename="__.png"; filename*=UTF-8\'\'%C3%A4%E2%82%AC.png'],
  ['a"b\\c.txt', 'attachment; filename="a_b_c.txt"; filename*=UTF-8\'\'a%22b%5Cc.txt'],
  ["100%'(1)*.txt", "attachment; filename=\"100_'(1)*.txt\"; filename*=UTF-8''100%25%27%281%29%2A.txt"],
  [
    'x\r\nSet-Cookie: a',
    'attachment; filename="x__Set-Cookie: a"; filename*=UTF-8\'\'x%0D%0ASet-Cookie%3A%20a',
  ],
  ['\ud800.txt', 'attachment; filename="_.txt"; filename*=UTF-8\'\'%EF%BF%BD.txt'],
  ['', 'attachment; filename="attachment"'],
])('writes %j', (name, field) => {
  expect(attachmentDisposition(name)).toBe(field);
});

it('is bounded and never cuts a character in two', () => {
  const field = attachmentDisposition('😀'.repeat(150));
  expect(field.length).toBeLessThan(2000);
  expect(decodeURIComponent(field.split("''")[1]!)).toBe('😀'.repeat(100));
});
