// Broken mail in every run of the tests. test/support/fuzz-mime.ts says what must hold; the failing mail's seed is in
// the message, and FUZZ_SEED reads it again.
import { expect, it } from 'vitest';
import { fuzzMime } from '../../test/support/fuzz-mime.ts';
import { fuzzSeed, fuzzTime } from '../../../../test/support/random.ts';

const seed = fuzzSeed();

it(`reads broken mail without a fault (FUZZ_SEED=${seed})`, { timeout: 120_000 }, () => {
  expect(fuzzMime(seed, fuzzTime(20_000))).toBeGreaterThan(50);
});
