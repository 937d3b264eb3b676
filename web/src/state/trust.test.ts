import { expect, it } from 'vitest';

import { toTrust } from './trust.ts';

const check = { domain: null, reason: null };
const details = { spf: check, dkim: check, dmarc: check, arc: check };
const none = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' };
const email = { sender_email: 'no-reply@Shop.example' };

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
  expect(toTrust({ sender_email: '', authentication, authentication_details: null })).toEqual({
    kind: 'off',
    domain: '',
  });
});
