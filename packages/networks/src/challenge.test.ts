import { createHash, createHmac } from 'node:crypto';

import { solveChallenge, verifySolution } from 'altcha-lib/v1';
import { describe, expect, it } from 'vitest';

import { type Challenge, createChallenges } from './challenge.ts';

const secret = 'a secret of at least thirty-two characters';

function open(rememberedMax = 100) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const challenges = createChallenges({ secret, difficulty: 500, clock: () => time.now, rememberedMax });
  return { time, challenges };
}

function solve({ challenge, salt, maxnumber }: Challenge): number {
  for (let number = 0; number <= maxnumber; number++) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) return number;
  }
  throw new Error('There is no solution.');
}

function encode(payload: object): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

function solved(challenge: Challenge): object {
  return { ...challenge, number: solve(challenge), took: 12 };
}

describe('a challenge', () => {
  it('is what ALTCHA has: a signed hash of salt and number, with its end in the salt', () => {
    const { challenges, time } = open();
    const issued = challenges.issue();
    expect(issued).toMatchObject({ algorithm: 'SHA-256', maxnumber: 500 });
    expect(issued.salt).toBe(`${issued.salt.slice(0, 24)}?expires=${time.now / 1000 + 300}&`);
    expect(issued.signature).toBe(createHmac('sha256', secret).update(issued.challenge).digest('hex'));
    expect(challenges.issue().salt).not.toBe(issued.salt);
  });

  it('is solved by the library of ALTCHA, and passes its check', async () => {
    const challenges = createChallenges({ clock: Date.now, secret, difficulty: 500 });
    const { algorithm, challenge, maxnumber, salt, signature } = challenges.issue();
    const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
    const payload = encode({ algorithm, challenge, salt, signature, number: solution?.number });
    expect(await verifySolution(payload, secret)).toBe(true);
    expect(challenges.redeem(payload)).toBe('accepted');
  });

  it('that is solved is accepted once', () => {
    const { challenges, time } = open();
    const payload = encode(solved(challenges.issue()));
    expect(challenges.redeem(payload)).toBe('accepted');
    expect(challenges.redeem(payload)).toBe('used');
    time.now += 299_000;
    expect(challenges.redeem(payload)).toBe('used');
    time.now += 1000;
    expect(challenges.redeem(payload)).toBe('expired');
  });

  it('is good for five minutes', () => {
    const { challenges, time } = open();
    const [first, second] = [challenges.issue(), challenges.issue()].map((one) => encode(solved(one)));
    time.now += 299_000;
    expect(challenges.redeem(first ?? '')).toBe('accepted');
    time.now += 1000;
    expect(challenges.redeem(second ?? '')).toBe('expired');
  });

  it('is remembered as used until it is past its end, whenever it was used', () => {
    const { challenges, time } = open();
    for (let step = 0; step < 20; step++) {
      time.now += 97_000;
      const payload = encode(solved(challenges.issue()));
      time.now += 200_000;
      expect(challenges.redeem(payload)).toBe('accepted');
      time.now += 99_000;
      expect(challenges.redeem(payload)).toBe('used');
    }
  });

  it('is wrong from another server, with another number, or altered', () => {
    const { challenges } = open();
    const issued = challenges.issue();
    const right = solved(issued) as { number: number };
    const other = createChallenges({ clock: Date.now, secret: '', difficulty: 500 }).issue();
    expect(challenges.redeem(encode(solved({ ...other, maxnumber: 500 })))).toBe('wrong');
    expect(challenges.redeem(encode({ ...right, number: right.number + 1 }))).toBe('wrong');
    expect(challenges.redeem(encode({ ...right, signature: 'f'.repeat(64) }))).toBe('wrong');
    const harder = createHash('sha256').update(`${issued.salt}501`).digest('hex');
    const signature = createHmac('sha256', secret).update(harder).digest('hex');
    expect(challenges.redeem(encode({ ...issued, challenge: harder, signature, number: 501 }))).toBe('wrong');
  });

  it('lends no digit of its number to its expiry (CVE-2025-68113)', () => {
    const { challenges } = open();
    const right = solved(challenges.issue()) as Challenge & { number: number };
    const digits = String(right.number);
    const spliced = [
      { salt: `${right.salt}${digits[0] ?? ''}`, number: Number(digits.slice(1)) },
      { salt: `${right.salt.slice(0, -1)}`, number: right.number },
      { salt: right.salt.replace('&', ''), number: Number(`1${digits}`) },
      { salt: right.salt.replace('?expires=', '?expires=1'), number: right.number },
    ];
    for (const change of spliced) {
      expect(challenges.redeem(encode({ ...right, ...change }))).not.toBe('accepted');
    }
  });

  it('is refused rather than taken twice when more are solved than are remembered', () => {
    const { challenges, time } = open(2);
    const payloads = Array.from({ length: 3 }, () => encode(solved(challenges.issue())));
    expect(payloads.map((payload) => challenges.redeem(payload))).toEqual([
      'accepted',
      'accepted',
      'crowded',
    ]);
    time.now += 301_000;
    expect(challenges.redeem(encode(solved(challenges.issue())))).toBe('accepted');
  });
});

describe('a payload', () => {
  const { challenges } = open();
  const right = solved(challenges.issue());
  it.each([
    '',
    '!',
    'bnVsbA==',
    encode([]),
    encode({}),
    Buffer.from('{"algorithm"').toString('base64'),
    encode({ ...right, algorithm: 'SHA-1' }),
    encode({ ...right, algorithm: 'none' }),
    encode({ ...right, number: '5' }),
    encode({ ...right, number: -1 }),
    encode({ ...right, number: 1.5 }),
    encode({ ...right, number: 1e300 }),
    encode({ ...right, salt: 5 }),
    encode({ ...right, salt: '' }),
    encode({ ...right, challenge: 'x' }),
    encode({ ...right, signature: null }),
    encode({ ...right, more: 'x'.repeat(4000) }),
  ])('such as %.30j is malformed', (payload) => {
    expect(challenges.redeem(payload)).toBe('malformed');
  });
});
