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
  const naming = { prefix: undefined, style: undefined, isKeyRequired: false };
  await expect(claimOneOf(domains, naming, claim)).rejects.toThrow('Every random address was taken.');
  expect(tried).toHaveLength(10);
  expect(new Set(tried).size).toBe(10);
  // Short ones first; where they run low, long ones.
  expect(tried.map((address) => /\d+/.exec(address)?.[0].length)).toEqual([2, 2, 2, 2, 6, 6, 6, 6, 6, 6]);
  tried.length = 0;
  await expect(claimOneOf(domains, { ...naming, prefix: 'fox' }, claim)).rejects.toThrow('address_taken');
  expect(tried).toEqual(['fox@a.test', 'fox@b.test']);
});
