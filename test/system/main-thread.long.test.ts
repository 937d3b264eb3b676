// No request keeps the main thread busy for longer than the worst known ones, on a quiet machine.
import { expect, it } from 'vitest';

import { quietTurnMs } from '../support/service/turn-watch.ts';
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
    expect(await mailTurnsAbove(quietTurnMs, raw)).toEqual([]);
  },
);

it.each(Object.entries(headerFields))(
  'blocks the event loop no longer than allowed for a header field: %s',
  async (_, fields) => {
    expect(await fieldsTurn(quietTurnMs, fields)).toBeLessThan(quietTurnMs);
  },
);

it('blocks the event loop no longer than allowed for the longest lists', patience, async () => {
  expect(await listTurnsAbove(quietTurnMs, 1000)).toEqual([]);
});
