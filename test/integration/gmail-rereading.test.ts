// The poller asks again: in a folder whose UIDs have changed, and for what a response lacks.

import { beforeEach, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import {
  arrivedMail,
  type Polled,
  type PolledOptions,
  startPolled,
} from '../support/gmail/polled-account.ts';
import { ScriptedImap } from '../support/gmail/scripted-imap.ts';

let imap: ScriptedImap;

beforeEach(async () => {
  imap = await ScriptedImap.start();
  return async () => {
    expect(imap.mostAtOnce).toBeLessThanOrEqual(3);
    await imap.close();
  };
});

async function startWith(options: Partial<PolledOptions> = {}): Promise<Polled> {
  const polled = await startPolled({ port: imap.port, ...options });
  await polled.untilHealth('healthy');
  return polled;
}

/** Waits for the last message, when all earlier ones have been processed. */
async function untilLast(
  polled: Polled,
  { email, token }: { email: string; token: string },
): Promise<string[]> {
  imap.arrive(arrivedMail(email, 'Last'));
  return eventually(async () => {
    const subjects = await polled.subjects(token);
    return subjects.includes('Last') ? subjects : undefined;
  }, 'the last message is there');
}

it('looks back only to the oldest live session when a folder of 20,000 recent messages changes its UIDs', async () => {
  const polled = await startWith({ times: { watchdogMs: 50, cleanupMs: 50 } });
  const lent = await polled.lend();
  const other = arrivedMail('quiet.fox+other@gmail.com', 'Other');
  const yesterday = new Date(Date.now() - 20 * 3_600_000);
  const longAgo = new Date(Date.now() - 3 * 86_400_000);
  imap.uidValidity += 1;
  for (let at = 0; at < 20_000; at++) {
    imap.messages.push({ uid: at + 1, raw: other, arrivedAt: at < 10_000 ? longAgo : yesterday });
  }
  imap.uidNext = 20_001;
  expect(await untilLast(polled, lent)).toEqual(['Last']);
  const fetches = imap.commands.filter((command) => command.startsWith('UID FETCH'));
  // Arrival times of the last day alone, 250 at once, and the header and body of the only message for the session.
  expect(fetches.length).toBeLessThan(10_000 / 250 + 10);
  const uids = fetches.flatMap((command) => (command.split(' ')[2] ?? '').split(',').map(Number));
  expect(Math.min(...uids)).toBeGreaterThan(10_000);
  expect(fetches.filter((command) => command.includes('HEADER'))).toHaveLength(1);
});

it('asks again for a header of no byte, alone or among others, and then on another connection', async () => {
  const polled = await startWith({ times: { backoffMinMs: 1, backoffMaxMs: 2 } });
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'Alone'), { emptyHeaders: 2 });
  await polled.untilMessages(lent.token, 1);
  for (let at = 0; at < 3; at++) {
    imap.messages.push({
      uid: imap.uidNext++,
      raw: arrivedMail(lent.email, `Many ${at}`),
      arrivedAt: new Date(),
      emptyHeaders: at === 1 ? 1 : 0,
    });
  }
  expect(await untilLast(polled, lent)).toEqual(['Alone', 'Many 0', 'Many 1', 'Many 2', 'Last']);
});

it('passes over a message whose header stays empty, and delivers those after it', async () => {
  const polled = await startWith({ times: { backoffMinMs: 1, backoffMaxMs: 2 } });
  const lent = await polled.lend();
  imap.arrive(arrivedMail(lent.email, 'Never'), { emptyHeaders: Infinity });
  expect(await untilLast(polled, lent)).toEqual(['Last']);
});

it('asks again for a body of no byte', async () => {
  const polled = await startWith({ times: { backoffMinMs: 1, backoffMaxMs: 2 } });
  const lent = await polled.lend();
  let left = 2;
  imap.onCommand = ({ tag, name, words }) => {
    if (name !== 'UID FETCH' || !words.includes('BODY.PEEK[]') || left-- <= 0) return undefined;
    return `* 1 FETCH (UID 1 BODY[]<0> {0}\r\n)\r\n${tag} OK done\r\n`;
  };
  imap.arrive(arrivedMail(lent.email, 'One'));
  expect(await untilLast(polled, lent)).toEqual(['One', 'Last']);
});
