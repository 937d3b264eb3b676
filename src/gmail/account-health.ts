// Records the health of an account in the store, for the operator: only changes, and only while its lease is held.

import type { Failure } from '#imap-reader/classify-failure';
import type { GmailAccountHealth } from '../store/gmail-store.ts';
import type { FolderRole, PollContext } from './poll-context.ts';

/** Failures in a row before one is recorded, since servers end connections now and then and the next one succeeds. */
const failuresUntilReport = 2;

export interface AccountHealth {
  /** Called when the folder has been checked. */
  succeeded(role: FolderRole): Promise<void>;
  /** `retryMs`: when the next try is due. */
  failed(role: FolderRole, failure: Failure, retryMs: number): Promise<void>;
  /** Called when the login was refused on any connection: polling ends then. */
  refused(failure: Failure): Promise<void>;
  /** Resolves when the inbox has been checked once. */
  readonly ready: Promise<void>;
}

export function createAccountHealth(context: PollContext): AccountHealth {
  const { account, lease, parts, stop } = context;
  let current = account.health;
  let reported = `${account.health} ${account.detail}`;
  let failures = 0;
  let setReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    setReady = resolve;
  });

  async function report(health: GmailAccountHealth, detail: string): Promise<void> {
    if (reported === `${health} ${detail}`) return;
    reported = `${health} ${detail}`;
    current = health;
    if (!(await parts.store.keepHealth(lease, account.id, { health, detail }))) stop();
  }

  return {
    ready,
    async succeeded(role) {
      if (role !== 'inbox') return;
      failures = 0;
      await report('healthy', '');
      setReady();
    },
    async failed(role, { kind, detail }, retryMs) {
      parts.log.warn('gmail.failed', { account: account.id, role, kind, retry_ms: retryMs });
      if (role !== 'inbox') return;
      failures += 1;
      if (kind === 'failing' && failures < failuresUntilReport && current === 'healthy') return;
      await report('failing', detail);
    },
    async refused({ detail }) {
      parts.log.error('gmail.login_refused', { account: account.id });
      await report('refused', detail);
      stop();
    },
  };
}
