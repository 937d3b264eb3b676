// Converts mailauth's findings about DKIM signatures and the ARC chain to the terms of RFC 8601. Stricter than
// mailauth: a signature that leaves From, Subject or part of the body unsigned, or uses SHA-1, vouches for nothing.

import type { Authentication, AuthenticationResult, DkimCheck, DkimSignature } from '../authentication.ts';
import { toAsciiDomain } from '../ascii-domain.ts';

/** A signature as reported by mailauth, which differs from its types. */
export interface FoundSignature {
  /** Absent from the placeholder for a message without signatures. */
  readonly signingDomain?: string;
  readonly selector?: string;
  readonly algo?: string;
  readonly signingHeaders?: { readonly keys: string };
  readonly status: {
    readonly result: string;
    readonly comment?: string | false;
    /** Bytes of the body that are not signed. */
    readonly underSized?: number;
    readonly policy?: Readonly<Record<string, string>>;
  };
}

export interface FoundChain {
  readonly i?: number | false;
  readonly status: { readonly result: string; readonly comment?: string };
}

const reasonMaxLength = 120;

/** mailauth reports all of these as `neutral`; its other results are kept. */
const resultOfComment: Readonly<Record<string, AuthenticationResult>> = {
  'body hash did not verify': 'fail',
  'bad signature': 'fail',
  expired: 'fail',
  'invalid expiration': 'permerror',
  'no key': 'permerror',
  'invalid public key': 'permerror',
  'unknown key version': 'permerror',
  'unknown key type': 'permerror',
};

const results: readonly string[] = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] satisfies AuthenticationResult[];

export function toResult(text: string | undefined): AuthenticationResult {
  return results.includes(text ?? '') ? (text as AuthenticationResult) : 'neutral';
}

/** Makes text from a sender or a library safe to keep and show: short printable ASCII. */
export function toReason(text: string | false | undefined): string | null {
  const plain = (text || '').replace(/[^\x20-\x7e]+/g, ' ').trim();
  return plain === '' ? null : plain.slice(0, reasonMaxLength);
}

export function toDomain(text: string | undefined): string | null {
  const plain = (text ?? '').toLowerCase();
  return /^[\x21-\x7e]{1,253}$/.test(plain) ? plain : null;
}

export interface SignedHeader {
  /** In ASCII; null when the message has not exactly one. */
  readonly fromDomain: string | null;
  /** The names of its fields in lower case. */
  readonly names: ReadonlySet<string>;
  /** Why no signature can vouch for the header shown to readers; null when one can. */
  readonly doubt: string | null;
}

/**
 * Picks the signature that represents all: one that passes, preferably of the From domain; else one that may still
 * pass; else the first that failed. When the header is in doubt, a pass becomes `policy` (RFC 8601 §2.7.1).
 */
export function toDkimCheck(found: readonly FoundSignature[], header: SignedHeader): DkimCheck {
  const { fromDomain, doubt } = header;
  const verified = found
    .filter(({ signingDomain }) => signingDomain !== undefined)
    .map((one) => toSignature(one, header.names));
  const order: readonly AuthenticationResult[] = ['pass', 'temperror', 'fail', 'policy', 'permerror'];
  const rank = (one: DkimSignature): number => {
    const at = order.indexOf(one.result);
    return (at < 0 ? order.length : at) * 2 + (one.domain === fromDomain ? 0 : 1);
  };
  const withDoubt = <T extends Pick<DkimSignature, 'result' | 'reason'>>(one: T): T =>
    one.result === 'pass' && doubt !== null ? { ...one, result: 'policy', reason: toReason(doubt) } : one;
  const [first] = verified.toSorted((a, b) => rank(a) - rank(b));
  const best = first && withDoubt(first);
  const signatures = verified.map(withDoubt);
  return best
    ? { result: best.result, domain: best.domain, reason: best.reason, signatures }
    : { result: 'none', domain: null, reason: null, signatures };
}

function toSignature(found: FoundSignature, names: ReadonlySet<string>): DkimSignature {
  const { result, reason } = toVerdict(found, names);
  return { result, domain: toDomain(found.signingDomain), selector: toReason(found.selector) ?? '', reason };
}

function toVerdict(
  found: FoundSignature,
  names: ReadonlySet<string>,
): { result: AuthenticationResult; reason: string | null } {
  const { status } = found;
  const result = resultOfComment[status.comment || ''] ?? toResult(status.result);
  if (result !== 'pass') {
    return { result, reason: toReason(status.comment || Object.values(status.policy ?? {}).join(' ')) };
  }
  // RFC 8301 §3.1.
  if (/-sha1$/i.test(found.algo ?? '')) return { result: 'permerror', reason: 'signed with SHA-1' };
  // A name that is not valid in the DNS may be mistaken for another domain: `d=bank.example/.evil.example`.
  if (toAsciiDomain(found.signingDomain ?? '') !== found.signingDomain?.toLowerCase()) {
    return { result: 'permerror', reason: 'd= is no domain' };
  }
  // RFC 6376 §5.4.
  const signed = new Set((found.signingHeaders?.keys ?? '').toLowerCase().split(/[\s:]+/));
  if (!signed.has('from')) return { result: 'permerror', reason: 'From is not signed' };
  // The subject is what readers see first; without it a signature means little (§5.4.1).
  if (names.has('subject') && !signed.has('subject')) {
    return { result: 'policy', reason: 'Subject is not signed' };
  }
  // RFC 6376 §8.2.
  if (status.underSized) return { result: 'policy', reason: 'only a part of the body is signed' };
  return { result, reason: null };
}

interface ChainContext {
  /** False when a key could not be fetched, which mailauth does not distinguish from a seal that fails. */
  readonly isDnsWell: boolean;
  readonly doubt: string | null;
}

export function toArcCheck(
  { status, i }: FoundChain,
  domain: string | null,
  { isDnsWell, doubt }: ChainContext,
): Authentication['arc'] {
  const result = toResult(status.result);
  if (result === 'none') return { result, domain: null, reason: null };
  if (result === 'pass') {
    return doubt === null ? { result, domain, reason: null } : { result: 'policy', domain, reason: doubt };
  }
  if (!isDnsWell) return { result: 'temperror', domain, reason: 'DNS failure' };
  return { result, domain, reason: toReason(status.comment) ?? `i=${i || 0} does not verify` };
}
