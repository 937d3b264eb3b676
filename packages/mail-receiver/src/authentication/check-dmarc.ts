// Decides DMARC (RFC 7489) from the results of SPF and DKIM. mailauth finds the record and the organisational domain;
// its verdict is not used, because it treats strict alignment (`aspf=s`, `adkim=s`) as relaxed and an unfinished
// check as a failure.

import { dmarc } from 'mailauth/lib/dmarc/index.js';

import type { Authentication, DkimCheck, DmarcCheck } from '../authentication.ts';
import { toReason, toResult } from './dkim-result.ts';
import type { LookUp } from '../dns-resolver.ts';

/** The result of mailauth, described only in part by its types. */
interface FoundPolicy {
  readonly status: { readonly result: string };
  readonly policy?: string;
  readonly pct?: number;
  readonly rr?: string;
  readonly error?: string;
  readonly alignment?: {
    readonly spf: { readonly result?: string; readonly strict: boolean };
    readonly dkim: { readonly result?: string; readonly strict: boolean };
  };
}

export interface DmarcInput {
  /** In ASCII; null when the message has not exactly one. */
  readonly fromDomain: string | null;
  readonly spf: Authentication['spf'];
  readonly dkim: DkimCheck;
  /** Why there is no such domain, when known. */
  readonly fromDoubt?: string | undefined;
}

export async function checkDmarc(input: DmarcInput, lookUp: LookUp): Promise<DmarcCheck> {
  const { fromDomain, spf, dkim, fromDoubt = 'From is not of one domain' } = input;
  // RFC 7489 §6.6.1 leaves this result open.
  if (fromDomain === null) return { ...noPolicy, result: 'permerror', domain: null, reason: fromDoubt };
  const spfDomains = spf.result === 'pass' && spf.domain !== null ? [spf.domain] : [];
  const dkimDomains = dkim.signatures
    .filter(({ result, domain }) => result === 'pass' && domain !== null)
    .map(({ domain }) => domain ?? '');
  const found = (await dmarc({
    headerFrom: `from@${fromDomain}`,
    spfDomains,
    dkimDomains: dkimDomains.map((domain) => ({ domain })),
    resolver: lookUp as (name: string, type: string) => Promise<string[]>,
  })) as FoundPolicy | false;
  if (found === false) return { ...noPolicy, result: 'none', domain: fromDomain, reason: null };
  const { alignment, policy, pct = 100, rr = '' } = found;
  const common = {
    domain: fromDomain,
    policy: toPolicy(policy),
    isTesting: pct < 100 || /;\s*t\s*=\s*y\s*(?:;|$)/i.test(rr),
  };
  if (!alignment) {
    const result = toResult(found.status.result);
    return { ...common, result, reason: result === 'temperror' ? toReason(found.error) : null };
  }
  const isAligned = (by: { result?: string; strict: boolean }, domains: readonly string[]): boolean =>
    by.strict ? domains.includes(fromDomain) : Boolean(by.result);
  if (isAligned(alignment.spf, spfDomains) || isAligned(alignment.dkim, dkimDomains)) {
    return { ...common, result: 'pass', reason: null };
  }
  return { ...common, ...toFailure(spf, dkim) };
}

const noPolicy = { policy: null, isTesting: false } as const;

/** Returns the failure, which is final only when no check that could have passed is undecided. */
function toFailure(spf: Authentication['spf'], dkim: DkimCheck): Pick<DmarcCheck, 'result' | 'reason'> {
  const isOpen = [spf, dkim, ...dkim.signatures].some(({ result }) => result === 'temperror');
  if (isOpen) return { result: 'temperror', reason: 'SPF or DKIM is not known' };
  if (dkim.result === 'permerror' && dkim.signatures.length === 0) {
    return { result: 'permerror', reason: dkim.reason };
  }
  return { result: 'fail', reason: null };
}

function toPolicy(text: string | undefined): DmarcCheck['policy'] {
  const policy = (text ?? '').trim().toLowerCase();
  return policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null;
}
