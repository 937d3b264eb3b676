import { describe, expect, it } from 'vitest';

import { createRoot, createSpanId, isInShare, parseTraceparent } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentSpanId = '00f067aa0ba902b7';

describe('parseTraceparent', () => {
  it('takes ids and whether the caller keeps the trace', () => {
    expect(parseTraceparent(`00-${traceId}-${parentSpanId}-01`)).toEqual({
      traceId,
      parentSpanId,
      isKeptByCaller: true,
    });
    expect(parseTraceparent(`00-${traceId}-${parentSpanId}-02`)?.isKeptByCaller).toBe(false);
  });

  it('takes what it knows of a later version', () => {
    expect(parseTraceparent(`cc-${traceId}-${parentSpanId}-01-what-will-be`)?.traceId).toBe(traceId);
    expect(parseTraceparent(`cc-${traceId}-${parentSpanId}-01`)?.traceId).toBe(traceId);
  });

  it.each([
    ['empty', ''],
    ['words', 'not a traceparent'],
    ['of the invalid version', `ff-${traceId}-${parentSpanId}-01`],
    ['with more than version 00 has', `00-${traceId}-${parentSpanId}-01-more`],
    ['of a later version without a dash', `cc-${traceId}-${parentSpanId}-01x`],
    ['in upper case', `00-${traceId.toUpperCase()}-${parentSpanId}-01`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${parentSpanId}-01`],
    ['with a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['with a short trace id', `00-${traceId.slice(1)}-${parentSpanId}-01`],
    ['given twice', `00-${traceId}-${parentSpanId}-01, 00-${traceId}-${parentSpanId}-01`],
    ['with a line end', `00-${traceId}-${parentSpanId}-01\n`],
    ['very long', `00-${traceId}-${parentSpanId}-01-${'x'.repeat(100_000)}`],
  ])('ignores one %s', (_what, field) => {
    expect(parseTraceparent(field)).toBeUndefined();
  });
});

it('ids are of the length that the format wants, and none comes twice', () => {
  const ids = Array.from({ length: 3000 }, createSpanId);
  expect(new Set(ids).size).toBe(3000);
  expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  expect(createRoot().traceId).toMatch(/^[0-9a-f]{32}$/);
});

describe('isInShare', () => {
  it('keeps all at 1 and none at 0', () => {
    for (const id of ['0'.repeat(31) + '1', 'f'.repeat(32), traceId]) {
      expect([isInShare(id, 1), isInShare(id, 0)]).toEqual([true, false]);
    }
  });

  it('keeps about the share, and of the same traces always the same', () => {
    const ids = Array.from({ length: 4000 }, () => createRoot().traceId);
    const kept = ids.filter((id) => isInShare(id, 0.25));
    // Ten standard deviations either way.
    expect(kept.length).toBeGreaterThan(1000 - 274);
    expect(kept.length).toBeLessThan(1000 + 274);
    expect(kept.every((id) => isInShare(id, 0.25) && isInShare(id, 0.5))).toBe(true);
  });
});
