// The random dialogues of smtp-engine-fuzz.test.ts, for ten minutes.

import { expect, it } from 'vitest';

import { expectSameHoweverCut, playRandom } from '../../../test/support/smtp/engine-fuzz.ts';
import { fuzzSeed } from '../../../test/support/random.ts';

const fuzzMs = 10 * 60_000;
const seed = fuzzSeed();

it(`random dialogues are answered well, and the same however they are cut (FUZZ_SEED=${seed})`, () => {
  const until = performance.now() + fuzzMs;
  let taken = 0;
  for (let next = seed; performance.now() < until; next++) {
    taken += playRandom(next);
    expectSameHoweverCut(next);
  }
  expect(taken).toBeGreaterThan(50);
});
