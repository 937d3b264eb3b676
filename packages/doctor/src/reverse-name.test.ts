import { expect, it } from 'vitest';

import { reverseName } from './collect-domain.ts';

const zeros = (count: number): string => '0.'.repeat(count);

it.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
  ['2001:db8::25', `5.2.0.0.${zeros(20)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ['2001:DB8:0:0:0:0:0:25', `5.2.0.0.${zeros(20)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ['::1', `1.${zeros(31)}ip6.arpa`],
  ['::ffff:192.0.2.1', `1.0.2.0.0.0.0.c.f.f.f.f.${zeros(20)}ip6.arpa`],
])('writes %s as the RFCs do', (address, name) => {
  expect(reverseName(address)).toBe(name);
});
