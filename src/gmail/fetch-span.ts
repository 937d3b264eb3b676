// The span of one message that was fetched from an account and stored. Called by take-message.ts when traces are on.

import type { Span } from '#telemetry/traces';
import type { DeliveryOutcome } from '../store/mail-store.ts';
import type { PollContext, FolderRole } from './poll-context.ts';

export interface FetchedAndStored {
  /** By `performance.now()`; the body was fetched between the two. */
  readonly startedAt: number;
  readonly fetchedAt: number;
  readonly sizeBytes: number;
  /** One per session. */
  readonly outcomes: readonly DeliveryOutcome['outcome'][];
}

export function toFetchSpan(
  { context, role }: { readonly context: Pick<PollContext, 'account'>; readonly role: FolderRole },
  { startedAt, fetchedAt, sizeBytes, outcomes }: FetchedAndStored,
): Span {
  const endedAt = performance.now();
  return {
    name: 'gmail message',
    kind: 'consumer',
    startedAt,
    endedAt,
    attributes: {
      'mayfly.gmail.account': context.account.id,
      'mayfly.gmail.folder': role,
      'mayfly.message.bytes': sizeBytes,
      'mayfly.outcome': outcomes.includes('stored') ? 'stored' : outcomes[0],
    },
    children: [
      { name: 'fetch', kind: 'client', startedAt, endedAt: fetchedAt },
      { name: 'commit', kind: 'internal', startedAt: fetchedAt, endedAt },
    ],
  };
}
