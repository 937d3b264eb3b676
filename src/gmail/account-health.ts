// Tells the store, and so the operator, how an account is doing: what changed, and only under its lease.

import type { GmailAccountHealth } from '../store/gmail-store.ts';
import type { Failure } from './classify-failure.ts';
import type { FolderRole, PollContext } from './poll-context.ts';

/** A connection that is lost and had again at once is nobody's concern: servers end them now and then. */
const failuresUntilTold = 2;

export interface AccountHealth {
  /** The folder has been looked at. */
  succeeded(role: FolderRole): Promise<void>;
  /** `retryMs`: when it is tried again. */
  failed(role: FolderRole, failure: Failure, retryMs: number): Promise<void>;
  /** The login was refused, over whichever connection: polling ends. */
  refused(failure: Failure): Promise<void>;
  /** Resolves when the inbox has been looked at once. */
  readonly ready: Promise<void>;
}

export function createAccountHealth(context: PollContext): AccountHealth {
  const { account, lease, parts, stop } = context;
  let current = account.health;
  let told = `${account.health} ${account.detail}`;
  let failures = 0;
  let setReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    setReady = resolve;
  });

  async function tell(health: GmailAccountHealth, detail: string): Promise<void> {
    if (told === `${health} ${detail}`) return;
    told = `${health} ${detail}`;
    current = health;
    if (!(await parts.store.keepHealth(lease, account.id, { health, detail }))) stop();
  }

  return {
    ready,
    async succeeded(role) {
      if (role !== 'inbox') return;
      failures = 0;
      await tell('healthy', '');
      setReady();
    },
    async failed(role, { kind, detail }, retryMs) {
      parts.log.warn('gmail.failed', { account: account.id, role, kind, retry_ms: retryMs });
      if (role !== 'inbox') return;
      failures += 1;
      if (kind === 'failing' && failures < failuresUntilTold && current === 'healthy') return;
      await tell('failing', detail);
    },
    async refused({ detail }) {
      parts.log.error('gmail.login_refused', { account: account.id });
      await tell('refused', detail);
      stop();
    },
  };
}
