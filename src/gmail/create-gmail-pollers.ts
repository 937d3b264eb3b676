// Watches the operator's accounts and polls each active one whose lease this process holds. Made by app.ts, which hands
// in the parts (gmail-pollers-options.ts) and closes it before the store.

import type { GmailPollersOptions } from './gmail-pollers-options.ts';

export interface GmailPollers {
  /** The operator changed something: the list of accounts is read now. Cheap. */
  wake(): void;
  /** Ends all connections and gives the leases back; resolves when nothing runs any more. */
  close(): Promise<void>;
}

export declare function createGmailPollers(options: GmailPollersOptions): GmailPollers;
