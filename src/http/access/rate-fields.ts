// Formats the header fields that report a client's remaining quota (draft-ietf-httpapi-ratelimit-headers: a policy with
// quota `q` and window `w` in seconds; `r` remaining, and `t` seconds until the quota is full again).

import type { RateDecision } from '#networks/gcra-limiter';

export interface RatePolicy {
  /** Letters, digits and hyphens. */
  readonly name: string;
  /** Finite. */
  readonly count: number;
  readonly periodMs: number;
}

export type RateFields = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

/** Returns the value of `RateLimit-Policy`; computed once. */
export function formatPolicies(policies: readonly RatePolicy[]): string {
  return policies.map(({ name, count, periodMs }) => `"${name}";q=${count};w=${periodMs / 1000}`).join(', ');
}

/** Returns the value of `RateLimit`. */
export function formatRate(name: string, { remaining, resetMs }: RateDecision): string {
  return `"${name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
}
