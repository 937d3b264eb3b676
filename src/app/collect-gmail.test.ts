import { expect, it } from 'vitest';

import { createMetrics, renderMetrics } from '../observe/metrics.ts';
import type { GmailAccount } from '../store/gmail-store.ts';
import { collectGmail } from './collect-gmail.ts';

function account(id: number, given: Partial<GmailAccount> = {}): GmailAccount {
  return { id, isActive: true, health: 'healthy', healthAt: 1000, ...given } as GmailAccount;
}

async function linesOf(accounts: readonly GmailAccount[], isReachable = true): Promise<string[]> {
  const metrics = createMetrics();
  const gmail = { listAccounts: () => Promise.resolve(accounts) };
  collectGmail(metrics, { gmail, isReachable: () => isReachable, now: () => 61_000 });
  const text = await renderMetrics(metrics);
  return text.split('\n').filter((line) => line.startsWith('mayfly_gmail_'));
}

it('counts accounts by state and tells how long one has not been read', async () => {
  const lines = await linesOf([
    account(1),
    account(2, { health: 'failing' }),
    account(3, { health: 'refused', isActive: false }),
  ]);
  expect(lines).toContain('mayfly_gmail_accounts{state="healthy"} 1');
  expect(lines).toContain('mayfly_gmail_accounts{state="failing"} 1');
  expect(lines).toContain('mayfly_gmail_accounts{state="refused"} 0');
  expect(lines).toContain('mayfly_gmail_accounts{state="disabled"} 1');
  expect(lines.filter((line) => line.startsWith('mayfly_gmail_lag'))).toEqual([
    'mayfly_gmail_lag_seconds{account="1"} 0',
    'mayfly_gmail_lag_seconds{account="2"} 60',
  ]);
});

it('says nothing while the store does not answer', async () => {
  expect(await linesOf([account(1)], false)).toEqual([]);
});
