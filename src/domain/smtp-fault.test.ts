import { describe, expect, it } from 'vitest';

import { type FaultRequest, faultReplyText, toFaultRule } from './smtp-fault.ts';

const seed = 5;

describe('a rule', () => {
  it.each<[FaultRequest, number | null]>([
    [{ stage: 'rcpt' }, 451],
    [{ stage: 'auth' }, 454],
    [{ stage: 'rcpt', code: 550 }, 550],
    [{ stage: 'rcpt', text: 'no' }, 451],
    [{ stage: 'rcpt', isGreylist: true, delayMs: 5 }, 451],
    [{ stage: 'rcpt', delayMs: 5 }, null],
    [{ stage: 'rcpt', delayMs: 5, text: 'no' }, 451],
    [{ stage: 'rcpt', drops: true }, null],
    [{ stage: 'rcpt', drops: true, delayMs: 5 }, null],
  ])('%j answers %s', (request, code) => {
    expect(toFaultRule(request, seed).code).toBe(code);
  });

  it('has a seed that makes it repeatable, given or not', () => {
    expect(toFaultRule({ stage: 'mail' }, seed).seed).toBe(seed);
    expect(toFaultRule({ stage: 'mail', seed: 9 }, seed).seed).toBe(9);
  });

  it.each<[FaultRequest, string]>([
    [{ stage: 'rcpt', code: 399 }, 'invalid_parameter'],
    [{ stage: 'rcpt', code: 600 }, 'invalid_parameter'],
    [{ stage: 'rcpt', code: 450.5 }, 'invalid_parameter'],
    [{ stage: 'rcpt', code: Number.NaN }, 'invalid_parameter'],
    [{ stage: 'rcpt', delayMs: -1 }, 'invalid_parameter'],
    [{ stage: 'rcpt', delayMs: 30_001 }, 'invalid_parameter'],
    [{ stage: 'rcpt', first: 0 }, 'invalid_parameter'],
    [{ stage: 'rcpt', probability: 101 }, 'invalid_parameter'],
    [{ stage: 'rcpt', seed: -1 }, 'invalid_parameter'],
    [{ stage: 'rcpt', text: '' }, 'invalid_parameter'],
    [{ stage: 'rcpt', text: 'a\r\n250 OK' }, 'invalid_parameter'],
    [{ stage: 'rcpt', text: 'ü' }, 'invalid_parameter'],
    [{ stage: 'rcpt', text: 'x'.repeat(201) }, 'invalid_parameter'],
    [{ stage: 'mail', isGreylist: true }, 'invalid_parameter'],
    [{ stage: 'rcpt', drops: true, code: 451 }, 'conflicting_parameters'],
    [{ stage: 'rcpt', drops: true, text: 'x' }, 'conflicting_parameters'],
  ])('%j is refused', (request, code) => {
    expect(() => toFaultRule(request, seed)).toThrowError(expect.objectContaining({ code }));
  });
});

it.each([
  ['no', 550, '5.0.0 no'],
  ['5.1.1 no', 550, '5.1.1 no'],
  ['5.1.1 no', 450, '4.0.0 5.1.1 no'],
  ['4.7.1', 450, '4.0.0 4.7.1'],
])('%s to %i has an enhanced code of its class', (text, code, reply) => {
  expect(faultReplyText({ text }, code)).toBe(reply);
});
