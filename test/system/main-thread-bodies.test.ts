// A third of the odd bodies for every route, another third for the next. main-thread-bodies.long.test.ts sends all, with
// the bound of a quiet machine.
import { it } from 'vitest';

import { longestTurnMs } from '../support/service/turn-watch.ts';
import { listeners, useWatchedListeners } from './odd-bodies.ts';

useWatchedListeners();

it.each(Object.entries(listeners))(
  'blocks the event loop no longer than allowed, whatever the body: %s',
  { timeout: 1_200_000 },
  async (_, expectShortTurns) => {
    await expectShortTurns({ parts: 3, boundMs: longestTurnMs });
  },
);
