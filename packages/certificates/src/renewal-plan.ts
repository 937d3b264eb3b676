// Decides when to order a certificate, from what is stored and the time. Pure: it is also what the tests of clocks that
// jump run.

import type { FailureKind, Progress, StoredFailure } from './certificate-records.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The parts of a certificate on which its renewal depends. */
export interface CertificateFacts {
  readonly directoryUrl: string;
  readonly names: readonly string[];
  readonly profile: string | undefined;
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface WantedCertificate {
  readonly directoryUrl: string;
  readonly names: readonly string[];
  readonly profile: string | undefined;
}

export interface PlanInput {
  readonly now: number;
  readonly wanted: WantedCertificate;
  readonly certificate: CertificateFacts | undefined;
  readonly progress: Progress;
  /** When the operator last asked for a new one; 0 for never. */
  readonly requestedAt: number;
}

export type Plan = { readonly kind: 'wait' } | { readonly kind: 'order'; readonly names: readonly string[] };

/** Clocks of machines that share a store differ by less. */
const clockToleranceMs = minuteMs;
const longestBackOffMs = 6 * hourMs;
/** Visitors see warnings meanwhile. */
const longestWithoutMs = hourMs;
/** A server that wants every certificate replaced at once is not obeyed in a loop. */
const leastAgeMs = hourMs;
/** From this many failures in a row, names that never were in a certificate are left out. */
const leavesOutAfter = 3;
const leftOutMs = dayMs;

export function planRenewal(input: PlanInput): Plan {
  const names = namesToOrder(input);
  const isNeeded = isDue(input, names) || input.requestedAt > (input.certificate?.issuedAt ?? 0);
  return isNeeded && mayTry(input) ? { kind: 'order', names } : { kind: 'wait' };
}

/** When to renew the certificate: when the server says, but always with some time left. */
export function renewalTime(
  { notBefore, notAfter, issuedAt }: CertificateFacts,
  { advice }: Progress,
): number {
  const lifetimeMs = notAfter - notBefore;
  // Short ones at half of their life, so that days are left for a server that is away.
  const usual = notAfter - (lifetimeMs < 10 * dayMs ? lifetimeMs / 2 : lifetimeMs / 3);
  const latest = notAfter - lifetimeMs / 6;
  if (advice?.renewAt === undefined) return usual;
  return Math.min(latest, Math.max(advice.renewAt, issuedAt + leastAgeMs));
}

function isDue({ now, wanted, certificate, progress }: PlanInput, names: readonly string[]): boolean {
  if (!certificate) return true;
  const { directoryUrl, profile } = certificate;
  if (directoryUrl !== wanted.directoryUrl || profile !== wanted.profile) return true;
  if (names.some((name) => !certificate.names.includes(name))) return true;
  return now >= renewalTime(certificate, progress);
}

/** Never without a name that a valid certificate has: a renewal must not take it away. */
function namesToOrder({ now, wanted, certificate, progress }: PlanInput): readonly string[] {
  const kept = certificate && certificate.notAfter > now ? certificate.names : [];
  const { leftOut = {} } = progress;
  const isLeftOut = (name: string): boolean =>
    !kept.includes(name) && now < (leftOut[name] ?? 0) && now > (leftOut[name] ?? 0) - 2 * leftOutMs;
  const names = wanted.names.filter((name) => !isLeftOut(name));
  return names.length > 0 ? names : wanted.names;
}

function mayTry({ now, requestedAt, progress: { failure } }: PlanInput): boolean {
  if (!failure) return true;
  // The server's wish to be left alone holds for the operator too.
  if (requestedAt > failure.at && failure.kind !== 'rate_limited') return true;
  return now >= failure.at + failure.waitMs || now < failure.at - clockToleranceMs;
}

export interface FailureInput {
  readonly now: number;
  readonly kind: FailureKind;
  readonly reason: string;
  readonly earlier: StoredFailure | undefined;
  readonly retryAfterMs: number | undefined;
  /** The end of the certificate in use; undefined without one. */
  readonly notAfter: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** Doubles the wait with each failure in a row, but leaves time for eight more before the certificate ends. */
export function noteFailure(input: FailureInput): StoredFailure {
  const { now, kind, reason, earlier, retryAfterMs = 0, notAfter = 0, random } = input;
  const count = (earlier?.count ?? 0) + 1;
  const doubled = minuteMs * 2 ** Math.min(count - 1, 20);
  const leftMs = notAfter - now;
  const longest = leftMs > 0 ? Math.min(longestBackOffMs, Math.max(minuteMs, leftMs / 8)) : longestWithoutMs;
  const least = kind === 'clock' ? longestBackOffMs : retryAfterMs;
  // Spread, so that services that failed together do not come back together.
  const waitMs = Math.round(Math.max(least, Math.min(longest, doubled) * (0.75 + random / 4)));
  return { kind, reason, at: now, waitMs: Math.min(waitMs, 8 * dayMs), count };
}

/** Adds the refused names that no certificate has had, once they have failed often enough. */
export function leaveOut(
  { leftOut = {} }: Progress,
  failure: StoredFailure,
  refused: readonly string[],
): Progress['leftOut'] {
  if (failure.kind !== 'validation' || failure.count < leavesOutAfter) return leftOut;
  const until = failure.at + leftOutMs;
  const standing = Object.entries(leftOut).filter(([, at]) => at > failure.at);
  return Object.fromEntries([...standing, ...refused.map((name) => [name, until] as const)]);
}
