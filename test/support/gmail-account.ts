// A Gmail account that a test lends aliases of: set up, and healthy as if a poller had logged in.

import type { GmailAccount, GmailAccountHealth, GmailAccountSettings } from '../../src/store/gmail-store.ts';
import { accountSettings } from '../contract/gmail.ts';
import type { OpenedStore } from '../contract/store-fixture.ts';

type Stores = Pick<OpenedStore, 'gmail' | 'leases'>;

export async function addHealthyAccount(
  store: Stores,
  email: string,
  settings: Partial<GmailAccountSettings> = {},
): Promise<GmailAccount> {
  const account = await store.gmail.addAccount(accountSettings({ email, ...settings }));
  await setHealth(store, account, 'healthy');
  return account;
}

export async function setHealth(
  { gmail, leases }: Stores,
  { id }: GmailAccount,
  health: GmailAccountHealth,
): Promise<void> {
  const lease = await leases.takeLease(`test-${id}`, 'test', 60_000);
  if (!lease) throw new Error('The lease is another’s.');
  await gmail.keepHealth(lease, id, { health, detail: health === 'healthy' ? '' : 'as the test wants it' });
}

/** As if so many bytes had been fetched today. */
export async function addUsage(
  { gmail, leases }: Stores,
  { id }: GmailAccount,
  bytes: number,
): Promise<void> {
  const lease = await leases.takeLease(`test-${id}`, 'test', 60_000);
  if (!lease) throw new Error('The lease is another’s.');
  const cursor = { uidValidity: 1, lastUid: 1 };
  await gmail.keepProgress(lease, { accountId: id, folder: 'INBOX', cursor, bytes, unmatched: 0 });
}
