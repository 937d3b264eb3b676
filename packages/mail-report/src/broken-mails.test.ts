// A few broken mails in every test run; broken-mails.long.test.ts judges five hundred.

import { it } from 'vitest';

import { fuzzSeed } from '../../../test/support/random.ts';
import { judgeBroken } from '../test/support/judge.ts';

const seed = fuzzSeed();

it(`judges broken mails without a fault (FUZZ_SEED=${seed})`, () => {
  judgeBroken(seed, 15);
});
