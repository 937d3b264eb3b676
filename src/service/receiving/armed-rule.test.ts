import { describe, expect, it } from 'vitest';

import { type FaultRequest, toFaultRule } from '../../domain/smtp-fault.ts';
import { ArmedRule } from './armed-rule.ts';

function armed(request: FaultRequest): ArmedRule {
  return new ArmedRule(toFaultRule(request, 1));
}

/** Which of so many events at RCPT it fires at. */
function play(rule: ArmedRule, subjects: readonly string[]): boolean[] {
  return subjects.map((subject) => rule.fires({ stage: 'rcpt', mayHold: true, subject }));
}

describe('a rule', () => {
  it('fires at its stage alone', () => {
    const rule = armed({ stage: 'data' });
    expect(rule.fires({ stage: 'rcpt', mayHold: true, subject: '' })).toBe(false);
    expect(rule.fires({ stage: 'data', mayHold: true, subject: '' })).toBe(true);
    expect(rule.fired).toBe(1);
  });

  it('fires for the first N and then never', () => {
    const rule = armed({ stage: 'rcpt', first: 2 });
    expect(play(rule, ['a', 'a', 'a', 'b'])).toEqual([true, true, false, false]);
    expect(rule.fired).toBe(2);
  });

  it('greylists each sender and recipient once', () => {
    const rule = armed({ stage: 'rcpt', isGreylist: true });
    expect(play(rule, ['a', 'a', 'b', 'a', 'b', 'c'])).toEqual([true, false, true, false, false, true]);
  });

  it('remembers a bounded number of them', () => {
    const rule = armed({ stage: 'rcpt', isGreylist: true });
    play(
      rule,
      Array.from({ length: 10_001 }, (_, at) => String(at)),
    );
    expect(play(rule, ['10000', '0'])).toEqual([false, true]);
  });

  it('with a probability fires as often, and the same way for the same seed', () => {
    const subjects = Array<string>(10_000).fill('a');
    const seeded = (seed: number): boolean[] =>
      play(armed({ stage: 'rcpt', probability: 25, seed }), subjects);
    const fired = seeded(7).filter(Boolean).length;
    expect([fired > 2300, fired < 2700]).toEqual([true, true]);
    expect(seeded(7)).toEqual(seeded(7));
    expect(seeded(7)).not.toEqual(seeded(8));
    expect(play(armed({ stage: 'rcpt', probability: 0 }), subjects)).not.toContain(true);
    expect(play(armed({ stage: 'rcpt', probability: 100 }), subjects)).not.toContain(false);
  });

  it.each<FaultRequest>([
    { stage: 'rcpt', drops: true },
    { stage: 'rcpt', delayMs: 1 },
    { stage: 'rcpt', code: 421 },
  ])('that would hold up or end the connection rests where it may not: %j', (request) => {
    const rule = armed(request);
    expect(rule.fires({ stage: 'rcpt', mayHold: false, subject: '' })).toBe(false);
    expect(rule.fires({ stage: 'rcpt', mayHold: true, subject: '' })).toBe(true);
    expect(rule.fired).toBe(1);
  });
});
