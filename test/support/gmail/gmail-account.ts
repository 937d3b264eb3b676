// A Gmail account for tests that lend aliases: configured, and healthy as after a poller's login.

import type {
  GmailAccount,
  GmailAccountHealth,
  GmailAccountSettings,
} from '../../../src/store/gmail-store.ts';
import { accountSettings } from '../../contract/gmail.ts';
import type { Lease } from '../../../src/store/lease-store.ts';
import type { Stores } from '../../../src/store/stores.ts';

/** For a store that one process owns, which checks no lease. */
const lease: Lease = { name: 'test', holder: 'test', epoch: 1 };

export async function addHealthyAccount(
  store: Pick<Stores, 'gmail'>,
  email: string,
  settings: Partial<GmailAccountSettings> = {},
): Promise<GmailAccount> {
  const account = await store.gmail.addAccount(accountSettings({ email, ...settings }));
  await setHealth(store, account, 'healthy');
  return account;
}

export async function setHealth(
  { gmail }: Pick<Stores, 'gmail'>,
  { id }: GmailAccount,
  health: GmailAccountHealth,
): Promise<void> {
  await gmail.keepHealth(lease, id, { health, detail: health === 'healthy' ? '' : 'as the test wants it' });
}

/** Records this many bytes as fetched today. */
export async function addUsage(
  { gmail }: Pick<Stores, 'gmail'>,
  { id }: GmailAccount,
  bytes: number,
): Promise<void> {
  const cursor = { uidValidity: 1, lastUid: 1 };
  await gmail.keepProgress(lease, { accountId: id, folder: 'INBOX', cursor, bytes, unmatched: 0 });
}
