// Records when mail last arrived for each domain, for the operator. Kept in memory and written once a minute, so that
// it costs nothing when mail is received.

import { ownDomainOf } from '../../domain/addresses/capture.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { Recipient } from '../session/recipient.ts';
import { writeRegularly } from './regular-writer.ts';

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
  const writer = writeRegularly<readonly [string, number]>({
    everyMs: flushMs,
    take() {
      const entries = [...noted];
      noted.clear();
      return entries;
    },
    keyOf: ([domain]) => domain,
    join: (_, later) => later,
    write: (entries) => directory.keepLastMail(new Map(entries)),
    onError,
  });
  return {
    note: (recipients) => {
      for (const recipient of recipients) {
        if (recipient === 'operator' || !('address' in recipient)) continue;
        noted.set(ownDomainOf(recipient.address), clock());
      }
    },
    list: () => writer.flush().then(() => directory.listLastMail()),
    close: () => writer.close(),
  };
}
