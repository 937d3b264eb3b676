// What an operator can do with Gmail accounts, and how they are doing: the same for the CLI and the admin interface.
// Made by app.ts, whether pollers run in this process or not.

import type { GmailAccount, GmailStore } from '../store/gmail-store.ts';
import { countFreeDotVariants, type ManageGmailDeps } from './manage-gmail.ts';

export interface GmailControl extends ManageGmailDeps {
  /** Connects and logs in; never rejects. */
  readonly testAccount: (
    account: GmailAccount,
  ) => Promise<{ readonly isWell: boolean; readonly lines: readonly string[] }>;
  /** Pollers look at the accounts anew. */
  readonly onAccountsChanged: () => void;
}

export interface GmailAccountOverview {
  readonly account: GmailAccount;
  /** Null for an account that has none to lend, being elsewhere than at Gmail. */
  readonly freeDotVariants: number | null;
}

/** In order of id, disabled ones included. */
export async function listGmailAccounts(gmail: GmailStore): Promise<readonly GmailAccountOverview[]> {
  const accounts = await gmail.listAccounts();
  return Promise.all(
    accounts.map(async (account) => ({
      account,
      freeDotVariants: await countFreeDotVariants(gmail, account),
    })),
  );
}

/** Since the account was last known to be read to its end; null for a disabled one. A healthy one idles: it is read as mail comes. */
export function toLagMs({ isActive, health, healthAt }: GmailAccount, now: number): number | null {
  if (!isActive) return null;
  return health === 'healthy' ? 0 : Math.max(0, now - healthAt);
}
