import { expect, it } from 'vitest';

import { toTrust } from './trust.ts';

const check = { domain: null, reason: null };
const dmarc = { domain: 'shop.example', reason: null };
const details = { spf: check, dkim: check, dmarc, arc: check };
const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' };
const email = { sender_email: 'no-reply@Shop.example', authentication_doubt: null };

it('goes by what the domain of the address shown says', () => {
  const of = (authentication: Partial<typeof none>): string =>
    toTrust({ ...email, authentication: { ...none, ...authentication }, authentication_details: details })
      .kind;
  expect(of({ dmarc: 'pass' })).toBe('verified');
  expect(of({ dmarc: 'fail', spf: 'pass', dkim: 'pass' })).toBe('forged');
  expect(of({ dmarc: 'temperror' })).toBe('later');
  expect(of({ spf: 'pass' })).toBe('unproven');
  expect(of({})).toBe('unproven');
});

it('takes a signature only from that very domain', () => {
  const of = (domain: string): string =>
    toTrust({
      ...email,
      authentication: { ...none, dkim: 'pass' },
      authentication_details: { ...details, dkim: { domain, reason: null } },
    }).kind;
  expect(of('shop.example')).toBe('verified');
  expect(of('mailer.example')).toBe('unproven');
  expect(of('evil-shop.example')).toBe('unproven');
});

it('says so when nothing was checked', () => {
  const authentication = { spf: null, dkim: null, dmarc: null, arc: null };
  expect(toTrust({ ...email, sender_email: '', authentication, authentication_details: null })).toEqual({
    kind: 'off',
    domain: '',
  });
});

it('believes no check of another domain than that of the address shown', () => {
  const of = (sender_email: string, domain: string | null): string =>
    toTrust({
      ...email,
      sender_email,
      authentication: { ...none, dmarc: 'pass', dkim: 'pass' },
      authentication_details: {
        ...details,
        dkim: { domain, reason: null },
        dmarc: { domain, reason: null },
      },
    }).kind;
  expect(of('x@paypal.test', 'paypal.test')).toBe('verified');
  expect(of('x@b\u00fccher.test', 'xn--bcher-kva.test')).toBe('verified');
  expect(of('"x@evil.test"@paypal.test', 'paypal.test')).toBe('verified');
  for (const [address, domain] of [
    ['x@evil.test', 'paypal.test'],
    ['x@evil.test/paypal.test', 'evil.test'],
    ['x@paypal.test', 'mail.paypal.test'],
    ['x@paypal.test', null],
    ['"x@paypal.test"@evil.test', 'paypal.test'],
    ['x@p\u0430ypal.test', 'paypal.test'],
    ['', 'paypal.test'],
    ['', ''],
  ] as const) {
    expect(of(address, domain), address).toBe('unproven');
  }
});

it('takes a signature of the sender\u2019s domain for nothing where From was not judged', () => {
  // Without From, or with several, the envelope's address is shown.
  expect(
    toTrust({
      ...email,
      authentication: { ...none, dkim: 'pass', dmarc: 'permerror' },
      authentication_details: { ...details, dkim: dmarc, dmarc: check },
    }).kind,
  ).toBe('unproven');
});

it('says when the header is in doubt, whatever passes', () => {
  const of = (authentication: Partial<typeof none>): string =>
    toTrust({
      sender_email: 'no-reply@shop.example',
      authentication: { ...none, ...authentication },
      authentication_details: { ...details, dkim: dmarc },
      authentication_doubt: 'Subject is there twice',
    }).kind;
  expect(of({ dkim: 'policy' })).toBe('doubtful');
  expect(of({ dkim: 'policy', spf: 'pass', dmarc: 'pass' })).toBe('doubtful');
  expect(of({ dkim: 'policy', dmarc: 'fail' })).toBe('forged');
});
