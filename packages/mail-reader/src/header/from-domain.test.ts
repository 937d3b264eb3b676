import { expect, it } from 'vitest';

import { readFromDomain } from './from-domain.ts';

const read = (header: string): string | null => readFromDomain(Buffer.from(`${header}\r\n\r\nbody`));

it.each([
  ['From: fox@example.org', 'example.org'],
  ['Subject: x\r\nFROM : "Fox, Quick" <fox@Mail.Example.ORG>', 'mail.example.org'],
  ['From: "ceo@bank.example" <fox@example.org>', 'example.org'],
  ['From: fox@b\u00fccher.example', 'b\u00fccher.example'],
])('reads the domain of %j', (header, domain) => {
  expect(read(header)).toBe(domain);
});

it.each([
  ['no From', 'Subject: x'],
  ['an empty From', 'From:'],
  ['a From without an address', 'From: The Fox'],
  ['two addresses of one domain', 'From: one@example.org, Two <two@EXAMPLE.org>'],
  ['two domains', 'From: one@example.org, two@other.example'],
  ['an address beside something that is none', 'From: one@example.org, Two <>'],
  ['an empty From before another', 'From:\r\nFrom: one@example.org'],
  ['a local address', 'From: root (Cron Daemon)'],
  ['two From fields', 'From: one@example.org\r\nFrom: one@example.org'],
])('reads no domain from %s', (_, header) => {
  expect(read(header)).toBeNull();
});

it('reads no domain from a header that exceeds the bytes examined', () => {
  const padding = `X-Padding: ${'x'.repeat(900)}\r\n`.repeat(80);
  expect(read(`From: one@example.org\r\n${padding}From: two@other.example`)).toBeNull();
});
