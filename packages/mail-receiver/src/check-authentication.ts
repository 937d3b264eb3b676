// Checks the origin of one message with mailauth. Always returns a result: what cannot be decided is temperror (may
// succeed later) or permerror (never will). The caller supplies the From domain, because it must be the one that readers
// see, not the one mailauth parses.

import { isIP } from 'node:net';

import { arc } from 'mailauth/lib/arc/index.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { spf } from 'mailauth/lib/spf/index.js';

import { toAsciiDomain } from './ascii-domain.ts';
import type { Authentication, DkimCheck } from './authentication.ts';
import { checkDmarc } from './authentication/check-dmarc.ts';
import {
  type FoundChain,
  type FoundSignature,
  toArcCheck,
  toDkimCheck,
  toDomain,
  toReason,
  toResult,
} from './authentication/dkim-result.ts';
import type { DnsResolver, MessageLookUps } from './dns-resolver.ts';
import { checkHeader, type CheckedHeader, readTwoWays } from './header-check.ts';
import {
  hasLineOf,
  limitSignatures,
  type ProcessorClock,
  TooCostlyError,
  toPieces,
} from './authentication/mailauth-input.ts';

export interface AuthenticationRequest {
  /** The whole message; modified. */
  readonly raw: Uint8Array;
  readonly remoteAddress: string;
  readonly helo: string;
  /** Null for the empty reverse-path. */
  readonly mailFrom: string | null;
  /** As found by the host that received the message, where that is believed; then it is not checked again. */
  readonly spf?: Pick<Authentication['spf'], 'result' | 'domain'>;
  /** The domain of the one address in the only From field; null when there is no such address. */
  readonly fromDomain: string | null;
  /** Why it is unknown, when another reader might still see a sender. */
  readonly fromDoubt?: string;
  /** Whether readers are shown a different header from the one that signatures cover. */
  readonly isReadTwoWays?: boolean;
}

/**
 * Processor time, which other messages share. Hashing 36 MB of ordinary lines takes 0.3 s, and of maliciously chosen
 * lines 20 s.
 */
const hashBudgetMs = 6000;

interface DkimAndArc {
  readonly dkim: DkimCheck;
  readonly arc: Authentication['arc'];
}

export interface CheckTools {
  readonly resolver: DnsResolver;
  /** Measures the processor time that hashing takes of the calling thread. */
  readonly openClock: () => ProcessorClock;
}

/** Never rejects because of the message or the DNS. */
export async function checkAuthentication(
  request: AuthenticationRequest,
  { resolver, openClock }: CheckTools,
): Promise<Authentication> {
  const lookUps = resolver.forMessage();
  try {
    const header = judgeHeader(request);
    const { fromDomain } = header;
    // The time for look-ups starts with the first one, so that hashing does not use it up.
    let onHashed: () => void = () => undefined;
    const hashed = new Promise<void>((resolve) => (onHashed = resolve));
    const [spfCheck, signed] = await Promise.all([
      hashed.then(() => checkSpf(request, lookUps)),
      checkSignatures(request.raw, { header, lookUps, openClock, onHashed }).finally(onHashed),
    ]);
    const { dkim } = signed;
    const doubt = header.doubt ?? request.fromDoubt;
    const fromDoubt = header.isOneFrom ? request.fromDoubt : doubt;
    const dmarc = await checkDmarc({ fromDomain, spf: spfCheck, dkim, fromDoubt }, lookUps.lookUp);
    return { spf: spfCheck, dkim, dmarc, arc: signed.arc, ...(doubt === undefined ? {} : { doubt }) };
  } finally {
    lookUps.end();
  }
}

interface JudgedHeader extends CheckedHeader {
  readonly isOneFrom: boolean;
  readonly fromDomain: string | null;
  /** Why no signature can vouch for the header shown to readers; null when one can. */
  readonly doubt: string | null;
}

function judgeHeader({ raw, fromDomain, isReadTwoWays = false }: AuthenticationRequest): JudgedHeader {
  const checked = checkHeader(raw);
  const isPlain = checked.isPlain && !isReadTwoWays;
  const isOneFrom = isPlain && checked.repeated !== 'From';
  let doubt: string | null = null;
  if (!isPlain) doubt = readTwoWays;
  else if (checked.repeated !== null) doubt = `${checked.repeated} is there twice`;
  return {
    ...checked,
    isPlain,
    isOneFrom,
    fromDomain: fromDomain !== null && isOneFrom ? (toAsciiDomain(fromDomain) ?? null) : null,
    doubt,
  };
}

/** Uses the domain of the reverse-path, or of the HELO name when that is empty (RFC 7208 §2.4). */
async function checkSpf(
  { remoteAddress, helo, mailFrom, spf: found }: AuthenticationRequest,
  { lookUp }: MessageLookUps,
): Promise<Authentication['spf']> {
  if (found) return { ...found, reason: null };
  const sender = toAsciiAddress(mailFrom === null || mailFrom === '' ? `postmaster@${helo}` : mailFrom);
  if (isIP(remoteAddress) === 0 || sender === undefined) {
    return { result: 'none', domain: null, reason: null };
  }
  const checked = await spf({
    ip: remoteAddress,
    helo,
    sender,
    mta: 'unknown',
    resolver: lookUp as (name: string, type: string) => Promise<string[]>,
  });
  const result = toResult(checked.status.result);
  const isError = result === 'temperror' || result === 'permerror';
  const [, detail] = (checked.status.comment ?? '').split(`lookup of ${sender}: `);
  return { result, domain: toDomain(checked.domain), reason: isError ? toReason(detail) : null };
}

/** Returns undefined when the domain is not a DNS name, such as an address literal. */
function toAsciiAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const domain = toAsciiDomain(address.slice(at + 1));
  return domain === undefined ? undefined : address.slice(0, at + 1) + domain;
}

interface SignatureContext {
  readonly header: JudgedHeader;
  readonly lookUps: MessageLookUps;
  readonly openClock: () => ProcessorClock;
  /** Called before the first look-up. */
  readonly onHashed: () => void;
}

async function checkSignatures(
  raw: Uint8Array,
  { header, lookUps, openClock, onHashed }: SignatureContext,
): Promise<DkimAndArc> {
  const { bodyStart, doubt } = header;
  if (bodyStart < 0) return unverified('permerror', 'the header is too long');
  // mailauth would read a different header from the one that was checked.
  if (!header.isPlain) return unreadable(raw, header);
  limitSignatures(raw, bodyStart);
  const resolver = lookUps.lookUp as (name: string, type: string) => Promise<string[]>;
  try {
    const pieces = toPieces(raw, { budgetMs: hashBudgetMs, openClock, onEnd: onHashed });
    const verified = await dkimVerify(pieces, { resolver });
    const dkim = toDkimCheck(verified.results as unknown as readonly FoundSignature[], header);
    const { arc: chain } = verified as unknown as { arc: Parameters<typeof arc>[0] };
    const found = (await arc(chain, { resolver })) as unknown as FoundChain;
    const sealedBy = toDomain(readTag(chain.lastEntry?.['arc-seal'], 'd'));
    return { dkim, arc: toArcCheck(found, sealedBy, { isDnsWell: !lookUps.hasFailed, doubt }) };
  } catch (error) {
    // The machine may have been busy.
    if (error instanceof TooCostlyError) return unverified('temperror', error.message);
    // mailauth throws on some malformed signatures; they will never verify.
    return unverified('permerror', 'the signatures cannot be read');
  }
}

function readTag(field: unknown, tag: string): string | undefined {
  const { parsed } = (field ?? {}) as { parsed?: Record<string, { value?: unknown }> };
  const value = parsed?.[tag]?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Distinguishes signatures that cannot be verified from their absence. */
function unreadable(raw: Uint8Array, { bodyStart, doubt }: JudgedHeader): DkimAndArc {
  const judge = (name: string): Authentication['arc'] =>
    hasLineOf(name, raw, bodyStart)
      ? { result: 'policy', domain: null, reason: doubt }
      : { result: 'none', domain: null, reason: null };
  return { dkim: { ...judge('dkim-signature'), signatures: [] }, arc: judge('arc-seal') };
}

function unverified(result: 'temperror' | 'permerror', reason: string): DkimAndArc {
  const check = { result, domain: null, reason };
  return { dkim: { ...check, signatures: [] }, arc: check };
}
