// Searches what was refused before a recipient was accepted, for the operator.

import type { KeptRefusal, RefusalStore } from '../../store/refusal-store.ts';
import { createHostTest, createSenderTest, isInTime, type LogFilter } from './log-filter.ts';

export interface ReadRefusalsDeps {
  readonly refusals: Pick<RefusalStore, 'listRefusals'>;
}

export interface RefusalFilter extends LogFilter {
  readonly stage?: string | undefined;
  /** A part of the cause. */
  readonly cause?: string | undefined;
  readonly limit: number;
}

/** Rows are of hours: the last one that began before `since` may reach into it. */
const hourMs = 3_600_000;

/** Returns the latest first. */
export async function readRefusals(
  { refusals }: ReadRefusalsDeps,
  filter: RefusalFilter,
): Promise<KeptRefusal[]> {
  const cause = (filter.cause ?? '').trim().toLowerCase();
  const isHost = createHostTest(filter.host);
  const isSender = createSenderTest(filter.sender);
  const kept = await refusals.listRefusals(Math.max(0, (filter.since ?? 0) - hourMs));
  return kept
    .filter(
      (one) =>
        (filter.stage === undefined || one.stage === filter.stage) &&
        one.cause.includes(cause) &&
        isInTime(filter, { from: one.at, to: one.lastAt }) &&
        isSender(one.sender) &&
        isHost({ networks: networksOf(one), helo: one.helo }),
    )
    .slice(0, filter.limit);
}

function networksOf({ network, host }: KeptRefusal): string[] {
  return [network, ...(host === null ? [] : [host])];
}
