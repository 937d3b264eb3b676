import { expect, it } from 'vitest';
import { linkInlineParts, rawMarkupPolicy } from './single-message.ts';

const picture = {
  id: '2',
  filename: 'a.png',
  contentType: 'image/png',
  contentId: 'Logo@Shop',
  disposition: 'inline',
  size: 3,
} as Parameters<typeof linkInlineParts>[1][number];

it.each([
  ['<img src="cid:logo@shop">', '<img src="/p/2">'],
  ["<img src='CID:LOGO@shop' />", "<img src='/p/2' />"],
  ['<img src=cid:logo@shop>', '<img src=/p/2>'],
  ['<img src="cid:other">', '<img src="cid:other">'],
  ['<p>cid:logo@shop</p>', '<p>cid:logo@shop</p>'],
])('leads %s to its part', (html, linked) => {
  expect(linkInlineParts(html, [picture], '/p/')).toBe(linked);
});

it('allows the pictures of one message, and no address that would add a directive', () => {
  const parts = 'http://127.0.0.1:8025/api/v1/message/abc/part/';
  expect(rawMarkupPolicy(parts)).toContain(`img-src data: ${parts};`);
  expect(rawMarkupPolicy('http://x; script-src */api/v1/message/abc/part/')).toBe(
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  );
});
