import { expect, it } from 'vitest';

import { senderDomainOf } from './sender-domain.ts';

it.each([
  [null, ''],
  ['a@Example.ORG', 'example.org'],
  ['"a@b"@example.org', 'example.org'],
  ['a@[192.0.2.1]', '[192.0.2.1]'],
  ['a@bücher.example', 'xn--bcher-kva.example'],
  [`a@${'x'.repeat(300)}`, 'x'.repeat(255)],
])('%j leaves %j', (mailFrom, domain) => {
  expect(senderDomainOf(mailFrom)).toBe(domain);
});
