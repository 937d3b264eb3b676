// Every odd body for every route, on a quiet machine.
import { it } from 'vitest';

import { quietTurnMs } from '../support/service/turn-watch.ts';
import { listeners, useWatchedListeners } from './odd-bodies.ts';

useWatchedListeners();

it.each(Object.entries(listeners))(
  'blocks the event loop no longer than allowed, whatever the body: %s',
  { timeout: 1_200_000 },
  async (_, expectShortTurns) => {
    await expectShortTurns({ parts: 1, boundMs: quietTurnMs });
  },
);
