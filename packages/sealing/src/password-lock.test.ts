import { expect, it } from 'vitest';

import { createDecoyLock, derivePasswordKey, lockToken, unlockToken } from './password-lock.ts';
import { createToken } from './token.ts';

it('gives the token for the password it was locked with, and for no other', async () => {
  const { token } = createToken();
  const lock = lockToken(await derivePasswordKey('correct horse'), token);
  expect(lock.includes(token) || lock.includes('correct')).toBe(false);
  expect(await unlockToken(lock, 'correct horse')).toBe(token);
  for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse']) {
    expect(await unlockToken(lock, wrong)).toBeUndefined();
  }
});

it('locks the same token with the same password in another way each time', async () => {
  const [one, other] = await Promise.all([derivePasswordKey('a'), derivePasswordKey('a')]);
  expect(one.salt).not.toEqual(other.salt);
  expect(one.key).not.toEqual(other.key);
});

it('asks for as much work where there is nothing to open', async () => {
  const { token } = createToken();
  const lock = lockToken(await derivePasswordKey('a'), token);
  const decoy = createDecoyLock(token.length);
  expect(decoy.length).toBe(lock.length);
  expect(decoy.subarray(0, 3)).toEqual(lock.subarray(0, 3));
  expect(await unlockToken(decoy, 'a')).toBeUndefined();
});

it('takes no more memory than it may, whatever a row asks for', async () => {
  const lock = lockToken(await derivePasswordKey('a'), createToken().token);
  lock[0] = 24;
  await expect(unlockToken(lock, 'a')).rejects.toThrow('memory limit');
});
