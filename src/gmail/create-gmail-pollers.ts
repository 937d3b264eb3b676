// Watches the operator's accounts and polls each active one whose lease this process holds. Closed before the store.

import { createPause } from '#networks/pause';
import { defaultTimes, type GmailPollersOptions } from './gmail-pollers-options.ts';
import { LeasedPollers } from './leased-pollers.ts';

export interface GmailPollers {
  /** Rereads the list of accounts now, after a change by the operator. Cheap. */
  wake(): void;
  /** Ends all connections and releases the leases; resolves when all have stopped. */
  close(): Promise<void>;
}

export function createGmailPollers(parts: GmailPollersOptions): GmailPollers {
  const times = { ...defaultTimes, ...parts.times };
  const ended = new AbortController();
  const pause = createPause(ended.signal);
  const wake = (): void => {
    pause.wake();
  };
  const pollers = new LeasedPollers(parts, times, wake);

  async function look(): Promise<void> {
    const accounts = await parts.store.listAccounts();
    await pollers.endOthers(accounts);
    for (const account of accounts) if (!ended.signal.aborted) await pollers.keep(account);
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      pause.begin();
      await look().catch((error: unknown) => {
        parts.log.error('gmail.accounts_not_read', { error });
      });
      pollers.stopOverdue();
      await pause.rest(times.listMs);
    }
    await pollers.close();
  }

  const done = run();
  return {
    wake,
    close: () => {
      ended.abort();
      return done;
    },
  };
}
