import { describe, expect, it } from 'vitest';

import type { Progress, StoredFailure } from './certificate-records.ts';
import { leaveOut, noteFailure, type PlanInput, planRenewal, renewalTime } from './renewal-plan.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-11-01T00:00:00Z');

const wanted = { directoryUrl: 'https://ca.test/directory', names: ['a.test', 'b.test'], profile: undefined };

function certificate(lifetimeDays: number) {
  return { ...wanted, issuedAt: start, notBefore: start, notAfter: start + lifetimeDays * dayMs };
}

function plan(given: Partial<PlanInput>) {
  const input = { now: start, wanted, certificate: certificate(90), progress: {}, requestedAt: 0 };
  return planRenewal({ ...input, ...given });
}

const order = { kind: 'order', names: wanted.names };
const wait = { kind: 'wait' };

function failure(given: Partial<StoredFailure> = {}): StoredFailure {
  return { kind: 'unreachable', reason: 'away', at: start, waitMs: hourMs, count: 1, ...given };
}

describe('the time of a renewal', () => {
  it.each([
    [90, 60],
    [45, 30],
    [6, 3],
    [1, 0.5],
  ])('is in time for a certificate of %i days: after %d', (days, after) => {
    const now = start + after * dayMs;
    expect(plan({ certificate: certificate(days), now: now - 1 })).toEqual(wait);
    expect(plan({ certificate: certificate(days), now })).toEqual(order);
  });

  it('is as the server says, but neither at once nor too late', () => {
    const advise = (renewAt: number): number => {
      const advice = { certificateId: 'x', renewAt, askedAt: start, askAgainAfterMs: hourMs };
      return renewalTime(certificate(90), { advice }) - start;
    };
    expect(advise(start + 10 * dayMs)).toBe(10 * dayMs);
    expect(advise(start - 10 * dayMs)).toBe(hourMs);
    expect(advise(start + 1000 * dayMs)).toBe(75 * dayMs);
  });

  it('is now for a first certificate, other names, another server or profile, and when asked for', () => {
    expect(plan({ certificate: undefined })).toEqual(order);
    const names = ['a.test', 'b.test', 'c.test'];
    expect(plan({ wanted: { ...wanted, names } })).toEqual({ kind: 'order', names });
    expect(plan({ wanted: { ...wanted, directoryUrl: 'https://other.test/' } })).toEqual(order);
    expect(plan({ wanted: { ...wanted, profile: 'shortlived' } })).toEqual(order);
    expect(plan({ requestedAt: start + 1, now: start + 1 })).toEqual(order);
    expect(plan({ requestedAt: start - 1 })).toEqual(wait);
    // A name that is no longer needed is no reason.
    expect(plan({ wanted: { ...wanted, names: ['b.test'] } })).toEqual(wait);
  });
});

describe('after a failure', () => {
  const due = { certificate: certificate(6), now: start + 3 * dayMs };

  it('waits as long as was decided, whatever the reason', () => {
    const progress = { failure: failure({ at: due.now, waitMs: hourMs }) };
    expect(plan({ ...due, progress })).toEqual(wait);
    expect(plan({ ...due, progress, now: due.now + hourMs - 1 })).toEqual(wait);
    expect(plan({ ...due, progress, now: due.now + hourMs })).toEqual(order);
  });

  it('does not wait for a clock that was set back', () => {
    const progress = { failure: failure({ at: due.now + 365 * dayMs, waitMs: hourMs }) };
    expect(plan({ ...due, progress })).toEqual(order);
    // Clocks of two nodes may differ a little.
    const little = { failure: failure({ at: due.now + 30_000, waitMs: hourMs }) };
    expect(plan({ ...due, progress: little })).toEqual(wait);
  });

  it('tries again when the operator asks for it, unless the server wants to be left alone', () => {
    const asked = { ...due, now: due.now + 10, requestedAt: due.now + 10 };
    expect(plan({ ...asked, progress: { failure: failure({ at: due.now }) } })).toEqual(order);
    const limited = failure({ at: due.now, kind: 'rate_limited' });
    expect(plan({ ...asked, progress: { failure: limited } })).toEqual(wait);
  });
});

describe('the wait after a failure', () => {
  const next = (earlier: StoredFailure | undefined, given: Partial<Parameters<typeof noteFailure>[0]> = {}) =>
    noteFailure({
      now: start,
      kind: 'unreachable',
      reason: 'away',
      retryAfterMs: undefined,
      random: 1,
      earlier,
      notAfter: start + 30 * dayMs,
      ...given,
    });

  it('doubles from a minute to six hours', () => {
    const waits: number[] = [];
    let earlier: StoredFailure | undefined;
    for (let count = 1; count <= 12; count++) {
      earlier = next(earlier);
      expect(earlier.count).toBe(count);
      waits.push(earlier.waitMs / minuteMs);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
  });

  it('leaves time for more attempts before the end of the certificate, and is an hour at most without one', () => {
    const many = failure({ count: 50 });
    expect(next(many, { notAfter: start + 8 * hourMs }).waitMs).toBe(hourMs);
    expect(next(many, { notAfter: start + 1000 }).waitMs).toBe(minuteMs);
    expect(next(many, { notAfter: start - 1 }).waitMs).toBe(hourMs);
    expect(next(many, { notAfter: undefined }).waitMs).toBe(hourMs);
  });

  it('is never shorter than the server asks, nor longer than eight days', () => {
    expect(next(undefined, { retryAfterMs: 5 * hourMs }).waitMs).toBe(5 * hourMs);
    expect(next(undefined, { retryAfterMs: 1e12 }).waitMs).toBe(8 * dayMs);
    expect(next(undefined, { kind: 'clock' }).waitMs).toBe(6 * hourMs);
  });

  it('is spread', () => {
    expect(next(undefined, { random: 0 }).waitMs).toBe(0.75 * minuteMs);
  });
});

describe('names that fail', () => {
  const failed = failure({ kind: 'validation', count: 3 });

  it('are left out of a first order after three failures, for a day', () => {
    expect(leaveOut({}, { ...failed, count: 2 }, ['b.test'])).toEqual({});
    const leftOut = leaveOut({}, failed, ['b.test']);
    const progress: Progress = { leftOut };
    expect(plan({ certificate: undefined, progress })).toEqual({ kind: 'order', names: ['a.test'] });
    const later = { now: start + dayMs, certificate: { ...certificate(90), names: ['a.test'] } };
    expect(plan({ ...later, progress, now: later.now - 1 })).toEqual(wait);
    expect(plan({ ...later, progress })).toEqual(order);
  });

  it('are never left out while a valid certificate has them', () => {
    const progress = { leftOut: leaveOut({}, failed, ['b.test']) };
    const now = start + hourMs;
    const due = { certificate: { ...certificate(1), notBefore: start - dayMs, notAfter: now + hourMs }, now };
    expect(plan({ ...due, progress })).toEqual(order);
    const ended = { ...due.certificate, notAfter: now - 1 };
    expect(plan({ ...due, certificate: ended, progress })).toEqual({ kind: 'order', names: ['a.test'] });
  });

  it('are all ordered when none would be left', () => {
    const progress = { leftOut: leaveOut({}, failed, ['a.test', 'b.test']) };
    expect(plan({ certificate: undefined, progress })).toEqual(order);
  });
});
