import { describe, expect, it } from 'vitest';

import { createHostTest, createSenderTest, isInTime } from './log-filter.ts';

describe('a host', () => {
  const host = { networks: ['192.0.2.7'], helo: 'Mail.Example.org' };

  it.each([
    '',
    '192.0.2.7',
    '192.0.2.0/24',
    '::ffff:192.0.2.7',
    '192.0.2',
    '192.0.',
    'example.ORG',
    'mail.example.org',
  ])('is found by %j', (wanted) => {
    expect(createHostTest(wanted)(host)).toBe(true);
  });

  it.each(['192.0.2.70', '192.0.3.0/24', '192.0.2.7/33', '19', '2001:db8::/32', 'ample.org', 'mail'])(
    'is not found by %j',
    (wanted) => {
      expect(createHostTest(wanted)(host)).toBe(false);
    },
  );

  it('is found in the network that was kept of it', () => {
    const kept = { networks: ['2001:db8:1::/48'], helo: '' };
    expect(createHostTest('2001:DB8:1:2::3')(kept)).toBe(true);
    expect(createHostTest('2001:db8::/32')(kept)).toBe(true);
    expect(createHostTest('2001:db8:2::1')(kept)).toBe(false);
    expect(createHostTest('192.0.2.1')({ networks: ['*', ''], helo: '' })).toBe(false);
  });
});

describe('a sender’s domain', () => {
  it.each([
    ['Example.ORG', 'example.org'],
    ['example.org', 'mail.example.org'],
    ['me@example.org', 'example.org'],
    ['example.org.', 'example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%s finds %s', (wanted, domain) => {
    expect(createSenderTest(wanted)(domain)).toBe(true);
  });

  it.each([
    ['example.org', 'badexample.org'],
    ['example.org', 'example.org.evil.test'],
    ['example.org', ''],
    ['example.org', null],
  ])('%s does not find %s', (wanted, domain) => {
    expect(createSenderTest(wanted)(domain)).toBe(false);
  });
});

it('takes the whole last second, and a span that reaches into the time', () => {
  const filter = { since: 10_000, until: 20_000 };
  const isIn = (from: number, to = from): boolean => isInTime(filter, { from, to });
  expect([9999, 10_000, 20_999, 21_000].map((at) => isIn(at))).toEqual([false, true, true, false]);
  expect([isIn(0, 9999), isIn(0, 10_000), isIn(20_500, 90_000)]).toEqual([false, true, true]);
  expect(isInTime({ since: undefined, until: undefined }, { from: 0, to: 0 })).toBe(true);
});
