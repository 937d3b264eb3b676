// Operations on Gmail accounts for operators, and the accounts' health, for the CLI and the admin interface. Works
// whether or not pollers run in this process.

import type { GmailAccount, GmailStore } from '../../store/gmail-store.ts';
import { countFreeDotVariants, type ManageGmailDeps } from './manage-gmail.ts';

export interface GmailControl extends ManageGmailDeps {
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  /** Connects and logs in; never rejects. */
  readonly testAccount: (
    account: GmailAccount,
  ) => Promise<{ readonly isWell: boolean; readonly lines: readonly string[] }>;
  /** Makes the pollers reread the accounts. */
  readonly onAccountsChanged: () => void;
}

export interface GmailAccountOverview {
  readonly account: GmailAccount;
  /** Null for an account outside Gmail, which has none. */
  readonly freeDotVariants: number | null;
}

/** In order of id, including disabled ones. */
export async function listGmailAccounts(gmail: GmailStore): Promise<readonly GmailAccountOverview[]> {
  const accounts = await gmail.listAccounts();
  return Promise.all(
    accounts.map(async (account) => ({
      account,
      freeDotVariants: await countFreeDotVariants(gmail, account),
    })),
  );
}

/**
 * Returns the time since the account was last read completely; null for a disabled account. A healthy account idles and
 * is read as mail arrives.
 */
export function toLagMs({ isActive, health, healthAt }: GmailAccount, now: number): number | null {
  if (!isActive) return null;
  return health === 'healthy' ? 0 : Math.max(0, now - healthAt);
}
