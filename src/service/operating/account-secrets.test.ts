import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { accountSettings } from '../../../test/contract/gmail.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { createAccountSecrets } from './account-secrets.ts';
import { OperatorError } from './operator-error.ts';

const password = { kind: 'password', password: 'hunter2' } as const;

async function openWithAccounts(key: Uint8Array, emails: readonly string[]) {
  const { gmail } = (await openServices()).store;
  const secrets = createAccountSecrets(key);
  for (const email of emails) {
    const settings = accountSettings({ email });
    await gmail.addAccount({ ...settings, sealedCredentials: secrets.seal(settings, password) });
  }
  return { gmail, secrets };
}

it('seals nothing without a key, and says what to do', () => {
  const secrets = createAccountSecrets(undefined);
  expect(() => secrets.seal(accountSettings(), password)).toThrow(OperatorError);
  expect(() => secrets.seal(accountSettings(), password)).toThrow('MAYFLY_SECRET_KEY_FILE');
});

it('opens what was sealed under its key alone, and names no address when it does not', async () => {
  const { gmail, secrets } = await openWithAccounts(randomBytes(32), ['fox@gmail.com']);
  const [account] = await gmail.listAccounts();
  if (!account) throw new Error('No account.');
  expect(secrets.open(account)).toEqual(password);
  for (const key of [randomBytes(32), undefined]) {
    expect(() => createAccountSecrets(key).open(account)).toThrow(
      'The credentials of Gmail account 1 cannot be opened with the secret key.',
    );
  }
});

it('goes over to a new key, with what was sealed before and what is sealed while it does', async () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const { gmail, secrets } = await openWithAccounts(first, ['a@gmail.com', 'b@gmail.com']);
  const [held] = await gmail.listAccounts();
  const settings = accountSettings({ email: 'c@gmail.com' });
  const adding = gmail.addAccount({ ...settings, sealedCredentials: secrets.seal(settings, password) });
  const rotating = secrets.rotate(gmail, second);
  const late = accountSettings({ email: 'd@gmail.com' });
  await gmail.addAccount({ ...late, sealedCredentials: secrets.seal(late, password) });
  await Promise.all([adding, rotating]);
  const accounts = await gmail.listAccounts();
  expect(accounts).toHaveLength(4);
  const afterRestart = createAccountSecrets(second);
  for (const account of accounts) {
    expect(secrets.open(account)).toEqual(password);
    expect(afterRestart.open(account)).toEqual(password);
    expect(() => createAccountSecrets(first).open(account)).toThrow(OperatorError);
  }
  // A poller may have read the account before.
  expect(held && secrets.open(held)).toEqual(password);
});

it('changes nothing when one of them does not open', async () => {
  const first = randomBytes(32);
  const { gmail, secrets } = await openWithAccounts(first, ['a@gmail.com']);
  await gmail.addAccount(accountSettings({ email: 'broken@gmail.com' }));
  await expect(secrets.rotate(gmail, randomBytes(32))).rejects.toThrow(OperatorError);
  const [account] = await gmail.listAccounts();
  if (!account) throw new Error('No account.');
  expect(createAccountSecrets(first).open(account)).toEqual(password);
  const settings = accountSettings({ email: 'later@gmail.com' });
  const sealedCredentials = secrets.seal(settings, password);
  const later = await gmail.addAccount({ ...settings, sealedCredentials });
  expect(createAccountSecrets(first).open(later)).toEqual(password);
});
