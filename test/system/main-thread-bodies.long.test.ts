// Every odd body for every route.
import { describe } from 'vitest';

import { testOddBodies } from './odd-bodies.ts';

describe('blocks the event loop no longer than allowed, whichever the body', { timeout: 1_200_000 }, () => {
  testOddBodies(1);
});
