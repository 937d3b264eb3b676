// No request keeps the main thread busy for long, whatever a sender or a caller wrote. main-thread.long.test.ts has the
// bound of a quiet machine.
import { expect, it } from 'vitest';

import { longestTurnMs } from '../support/service/turn-watch.ts';
import {
  fieldsTurn,
  headerFields,
  listTurnsAbove,
  mails,
  mailTurnsAbove,
  useWatchedService,
} from './longest-turns.ts';

const patience = { timeout: 900_000 };

useWatchedService();

it.each(Object.entries(mails))(
  'blocks the event loop no longer than allowed: %s',
  patience,
  async (_, raw) => {
    expect(await mailTurnsAbove(longestTurnMs, raw)).toEqual([]);
  },
);

it.each(Object.entries(headerFields))(
  'blocks the event loop no longer than allowed for a header field: %s',
  async (_, fields) => {
    expect(await fieldsTurn(longestTurnMs, fields)).toBeLessThan(longestTurnMs);
  },
);

it('blocks the event loop no longer than allowed for the longest lists', patience, async () => {
  expect(await listTurnsAbove(longestTurnMs, 300)).toEqual([]);
});
