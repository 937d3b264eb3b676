// Records when mail last arrived for each domain, for the operator. Kept in memory and written once a minute, so that
// it costs nothing when mail is received.

import { ownDomainOf } from '../../domain/addresses/capture.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { Recipient } from '../session/recipient.ts';

export interface LastMail {
  /** Call for each message stored. */
  note(recipients: readonly Recipient[]): void;
  /** Returns ms since 1970 by domain name. */
  list(): Promise<ReadonlyMap<string, number>>;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface LastMailOptions {
  readonly directory: Pick<DirectoryStore, 'keepLastMail' | 'listLastMail'>;
  readonly onError: (error: unknown) => void;
  readonly clock: () => number;
}

const flushMs = 60_000;

export function createLastMail({ directory, onError, clock }: LastMailOptions): LastMail {
  const noted = new Map<string, number>();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const kept = new Map(noted);
    noted.clear();
    try {
      await directory.keepLastMail(kept);
    } catch (error) {
      // For the next write; what came meanwhile is newer.
      for (const [domain, at] of kept) if (!noted.has(domain)) noted.set(domain, at);
      throw error;
    }
  }

  const timer = setInterval(() => void flush().catch(onError), flushMs).unref();
  return {
    note: (recipients) => {
      for (const recipient of recipients) {
        if (recipient === 'operator' || !('address' in recipient)) continue;
        noted.set(ownDomainOf(recipient.address), clock());
      }
    },
    list: async () => new Map([...(await directory.listLastMail()), ...noted]),
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
