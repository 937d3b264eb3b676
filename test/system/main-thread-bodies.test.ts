// A third of the odd bodies for every route, another third for the next. main-thread-bodies.long.test.ts sends all.
import { describe } from 'vitest';

import { testOddBodies } from './odd-bodies.ts';

describe('blocks the event loop no longer than allowed, whatever the body', { timeout: 600_000 }, () => {
  testOddBodies(3);
});
