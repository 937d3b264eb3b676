// Five hundred broken mails, with a new seed each time.

import { it } from 'vitest';

import { judgeBroken } from '../test/support/judge.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 32);

it(`judges 500 broken mails without a fault (FUZZ_SEED=${seed})`, () => {
  judgeBroken(seed, 500);
});
