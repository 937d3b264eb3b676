import { expect, it } from 'vitest';

import { toNewSession } from './address-choice.ts';

const plain = { prefix: '', place: 'any', alias: 'dot', lifetime: 0 } as const;

it('asks for nothing that was not chosen', () => {
  expect(toNewSession(plain)).toEqual({});
});

it('asks for name, domain and lifetime', () => {
  expect(toNewSession({ ...plain, prefix: ' quiet-fox ', place: 'domain:7', lifetime: 600 })).toEqual({
    prefix: 'quiet-fox',
    domain_id: 7,
    lifetime: 600,
  });
});

it('asks for a Gmail alias of the kind chosen, and of no kind with a name', () => {
  expect(toNewSession({ ...plain, place: 'gmail:auto', alias: 'plus' })).toEqual({
    use_gmail: 1,
    gmail_auto: 1,
    alias: 'plus',
  });
  expect(toNewSession({ ...plain, place: 'gmail:3', prefix: 'shop' })).toEqual({
    use_gmail: 1,
    gmail_id: 3,
    prefix: 'shop',
  });
});
