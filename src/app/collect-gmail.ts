// Collects metrics of the Gmail accounts from what their pollers store, so that every node shows the same. Part of the
// composition root, called by app.ts.

import type { Metrics } from '../observe/metrics.ts';
import { toLagMs } from '../service/operating/gmail-control.ts';
import type { GmailAccount, GmailStore } from '../store/gmail-store.ts';

const states = ['healthy', 'new', 'failing', 'refused', 'disabled'] as const;

interface CollectedAccounts {
  readonly gmail: Pick<GmailStore, 'listAccounts'>;
  /** Whether the store can be queried. */
  readonly isReachable: () => boolean;
  /** ms since 1970. */
  readonly now: () => number;
}

export function collectGmail(
  { registry, gmailAccounts, gmailLag }: Metrics,
  { gmail, isReachable, now }: CollectedAccounts,
): void {
  registry.onCollect(async () => {
    if (!isReachable()) return;
    const accounts = await gmail.listAccounts();
    gmailLag.clear();
    for (const state of states) {
      gmailAccounts.of(state).value = accounts.filter((account) => toState(account) === state).length;
    }
    for (const account of accounts.filter(({ isActive }) => isActive)) {
      gmailLag.of(String(account.id)).value = (toLagMs(account, now()) ?? 0) / 1000;
    }
  });
}

function toState({ isActive, health }: GmailAccount): (typeof states)[number] {
  return isActive ? health : 'disabled';
}
