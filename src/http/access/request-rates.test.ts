import { expect, it } from 'vitest';

import type { SessionKey } from '../../domain/session.ts';
import { RequestRate } from './request-rates.ts';

it('counts each session by itself, in whichever of 48 bits their keys differ', () => {
  const rate = new RequestRate('request', 1, () => 0);
  const keys = Array.from({ length: 48 }, (_, bit) => {
    const key = new Uint8Array(16);
    key[bit >> 3] = 1 << (bit & 7);
    return key as SessionKey;
  });
  const caller = { addFields: () => undefined };
  for (const key of keys) rate.take(caller, key);
  for (const key of keys) expect(() => rate.take(caller, key)).toThrow('rate_limited');
});
