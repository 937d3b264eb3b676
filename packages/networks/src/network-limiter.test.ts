import { expect, it } from 'vitest';

import { NetworkLimiter } from './network-limiter.ts';

const createLimiter = (count: number) => new NetworkLimiter({ count, periodMs: 60_000 }, () => 0);
const allowedOf = (limiter: NetworkLimiter, addresses: readonly string[]): number =>
  addresses.filter((address) => limiter.take(address).isAllowed).length;

it.each([
  ['a /24', Array.from({ length: 250 }, (_, i) => `192.0.2.${i}`), '198.51.100.1'],
  ['a /48', Array.from({ length: 250 }, (_, i) => `2001:db8:1:${i.toString(16)}::1`), '2001:db8:2::1'],
])('allows all of %s ten times as much as one of its addresses', (_, addresses, other) => {
  const limiter = createLimiter(2);
  expect(allowedOf(limiter, [...addresses, ...addresses])).toBe(20);
  expect(limiter.look(addresses[0]!).isAllowed).toBe(false);
  expect(limiter.look(other).isAllowed).toBe(true);
  expect(allowedOf(limiter, [other, other, other])).toBe(2);
});

it('does not count the refusals of one address against its neighbours', () => {
  const limiter = createLimiter(2);
  expect(allowedOf(limiter, Array<string>(100).fill('192.0.2.1'))).toBe(2);
  expect(allowedOf(limiter, ['192.0.2.2', '192.0.2.2'])).toBe(2);
});

it('takes the form of a network like an address', () => {
  const limiter = createLimiter(1);
  expect(allowedOf(limiter, ['2001:db8:1:2::/64', '2001:db8:1:2::7'])).toBe(1);
});
