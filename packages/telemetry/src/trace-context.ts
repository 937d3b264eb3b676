// Ids of traces and spans, parents from callers, and sampling (W3C Trace Context, level 1, §3.2). Used by
// create-traces.ts.

import { randomFillSync } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits; undefined at the root. */
  readonly parentSpanId: string | undefined;
  /** Whether the caller samples it; true at the root. */
  readonly isKeptByCaller: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

/**
 * Returns undefined for a malformed field, which is ignored (§3.2.2.2 onwards), and for repeated ones. Untrusted
 * input.
 */
export function parseTraceparent(field: string): TraceContext | undefined {
  const [, version, traceId, parentSpanId, flags, more] = form.exec(field) ?? [];
  if (version === undefined || traceId === undefined || flags === undefined) return undefined;
  // A later version may be longer; this one has exactly 55 characters.
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
 * Reports whether a trace is in the share that is kept, 0 to 1. Uses the random 56 bits at the end of its id, like
 * other participants, so that traces are kept whole; only 52 of them, because a double has no more.
 */
export function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(18, 31), 16) / 2 ** 52 >= 1 - share;
}

// Drawn many at a time: a system call per id would cost more than the rest of a span.
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
