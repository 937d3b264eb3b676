// The most bytes that are fetched from an account in one day.

import { afterEach, beforeEach, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { arrivedMail, startPolled } from '../support/gmail/polled-account.ts';
import { ScriptedImap } from '../support/gmail/scripted-imap.ts';

let imap: ScriptedImap;

beforeEach(async () => {
  imap = await ScriptedImap.start();
});
afterEach(() => imap.close());

it('fetches no more than the daily limit, and reports it', async () => {
  const polled = await startPolled({ port: imap.port, settings: { dayMaxBytes: 20_000 } });
  await polled.untilHealth('healthy');
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'Small'));
  await polled.untilMessages(lent.token, 1);
  imap.arrive(arrivedMail(lent.email, 'Large', 'x'.repeat(30_000)));
  const { detail } = await polled.untilHealth('failing');
  expect(detail).toBe('The 20000 bytes of this day are used up; polling continues at 00:00 UTC.');
  expect(await polled.subjects(lent.token)).toEqual(['Small']);
});

it('counts the bytes of connections that fail before a message is whole', async () => {
  const polled = await startPolled({
    port: imap.port,
    settings: { dayMaxBytes: 100_000 },
    times: { backoffMinMs: 1, backoffMaxMs: 2 },
  });
  await polled.untilHealth('healthy');
  const lent = await polled.lend();
  imap.onCommand = ({ name, connection }) => {
    if (name === 'EXAMINE') connection.fetchBytesLeft = 20_000;
    return undefined;
  };
  for (const connection of imap.connections) connection.fetchBytesLeft = 20_000;
  imap.arrive(arrivedMail(lent.email, 'Large', 'x'.repeat(30_000)));
  await eventually(async () => {
    const { detail } = await polled.account();
    return detail.startsWith('The 100000 bytes of this day are used up') || undefined;
  }, 'the day is spent');
  expect((await polled.account()).bytesToday).toBeGreaterThan(40_000);
});
