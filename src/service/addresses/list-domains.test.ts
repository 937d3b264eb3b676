import { expect, it } from 'vitest';

import { addHealthyAccount, setHealth } from '../../../test/support/gmail/gmail-account.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { listDomains } from './list-domains.ts';

it('lists active domains, and accounts that mail reaches, in order of id', async () => {
  const { deps, store } = await openServices();
  await store.directory.addDomain('disabled.test', 0, 0);
  await store.directory.disableDomain('disabled.test');
  const names = ['zebra', 'ant', 'disabled', 'refused', 'failing', 'new'];
  for (const name of names) await addHealthyAccount(store, `${name}@gmail.com`);
  for (const account of await store.gmail.listAccounts()) {
    const health = (['refused', 'failing', 'new'] as const).find((one) => account.email.startsWith(one));
    if (health) await setHealth(store, account, health);
  }
  await store.gmail.disableAccount('disabled@gmail.com');
  const { domains, gmailAccounts } = await listDomains(deps);
  expect(domains.map(({ name }) => name)).toEqual(['mayfly.test']);
  expect(gmailAccounts).toEqual([
    { id: 1, email: 'zebra@gmail.com' },
    { id: 2, email: 'ant@gmail.com' },
  ]);
});

it('masks accounts, their length included, where the operator wants it', async () => {
  const { deps, store } = await openServices();
  for (const email of ['a@gmail.com', 'annalong@mail.test']) await addHealthyAccount(store, email);
  const { gmailAccounts } = await listDomains({ ...deps, masksGmailAccounts: true });
  expect(gmailAccounts.map(({ email }) => email)).toEqual(['a***@gmail.com', 'a***@mail.test']);
});
