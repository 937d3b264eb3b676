import { expect, it } from 'vitest';

import { claimOneOf } from './choose-address.ts';

const domains = ['a.test', 'b.test'].map((name, id) => ({
  id,
  name,
  isActive: true,
  quarantineMs: 0,
  refusesDmarcReject: false,
  discardsUnknown: false,
  takesPlusTags: true,
}));

it('tries five random addresses of each domain', async () => {
  const tried: string[] = [];
  const claim = ({ address }: { address: string }): Promise<undefined> => {
    tried.push(address);
    return Promise.resolve(undefined);
  };
  await expect(claimOneOf(domains, undefined, claim)).rejects.toThrow('Every random address was taken.');
  expect(tried).toHaveLength(10);
  expect(new Set(tried).size).toBe(10);
  tried.length = 0;
  await expect(claimOneOf(domains, 'fox', claim)).rejects.toThrow('address_taken');
  expect(tried).toEqual(['fox@a.test', 'fox@b.test']);
});
