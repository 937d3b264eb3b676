// Ids of traces and spans, who is a caller's child, and which traces are kept (W3C Trace Context, level 1, §3.2).
// Used by create-traces.ts.

import { randomFillSync } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits; undefined at the root. */
  readonly parentSpanId: string | undefined;
  /** Whether the caller keeps it; at the root true. */
  readonly isKeptByCaller: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

/** Undefined for what is not well-formed: it is to be ignored (§3.2.2.2 onwards). Untrusted; two fields are none. */
export function parseTraceparent(field: string): TraceContext | undefined {
  const [, version, traceId, parentSpanId, flags, more] = form.exec(field) ?? [];
  if (version === undefined || traceId === undefined || flags === undefined) return undefined;
  // A later version may say more than this one, which says all in 55 characters.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentSpanId ?? '')) return undefined;
  return { traceId, parentSpanId, isKeptByCaller: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

export function createRoot(): TraceContext {
  return { traceId: randomHex(16), parentSpanId: undefined, isKeptByCaller: true };
}

export function createSpanId(): string {
  return randomHex(8);
}

/**
 * Whether a trace is among the share of them that is kept, 0 to 1. Goes by the random 56 bits at the end of its id, as
 * others who take part in it do, so that a trace is kept whole. Of these the first 52: a number here has no more.
 */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(18, 31), 16) / 2 ** 52 >= 1 - share;
}

// Drawn many at a time: a system call for each id costs more than the rest of a span.
const pool = Buffer.alloc(8 * 1024);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
