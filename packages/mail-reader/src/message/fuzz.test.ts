// Broken mail in every test run. test/support/fuzz-mime.ts states the invariants; a failure prints the message's seed,
// and FUZZ_SEED repeats it.
import { expect, it } from 'vitest';
import { fuzzMime } from '../../test/support/fuzz-mime.ts';
import { fuzzSeed, fuzzTime } from '../../../../test/support/random.ts';

const seed = fuzzSeed();

it(`reads broken mail without a fault (FUZZ_SEED=${seed})`, { timeout: 300_000 }, () => {
  expect(fuzzMime(seed, fuzzTime(4_000))).toBeGreaterThan(50);
});
