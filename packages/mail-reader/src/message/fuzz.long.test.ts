// Runs the fuzzer for ten minutes, by hand. See fuzz.test.ts.
import { expect, it } from 'vitest';
import { fuzzMime } from '../../test/support/fuzz-mime.ts';
import { fuzzSeed } from '../../../../test/support/random.ts';

const seed = fuzzSeed();

it(`reads broken mail for ten minutes without a fault (FUZZ_SEED=${seed})`, () => {
  expect(fuzzMime(seed, 600_000)).toBeGreaterThan(1_000);
});
