import { expect, it } from 'vitest';

import { openServices, plainMail, toIncoming } from '../../../test/support/service/service-fixture.ts';
import { createRecentDeliveries, type RecentDeliveries, type RecentOutcome } from './recent-deliveries.ts';
import { receiveMessage } from '../receiving/receive-message.ts';

const dayMs = 24 * 60 * 60 * 1000;

function outcomes(log: RecentDeliveries, address = '', outcome?: RecentOutcome): string[] {
  return log.list({ address, outcome, limit: 100 }).map((one) => `${one.outcome} ${one.address}`);
}

function unknown(log: RecentDeliveries, localPart: string): void {
  log.recordUnknownRecipient({ localPart, domain: 'mayfly.test' }, '550 5.1.1 No such mailbox');
}

it('tells what became of a message for each recipient, and nothing that is in it', async () => {
  const { deps, lend } = await openServices();
  const [fox, owl] = [await lend('fox'), await lend('owl')];
  const log = createRecentDeliveries(() => 5);
  const incoming = toIncoming(plainMail('secret subject'), {
    mailFrom: 'sender@example.org',
    rcptTo: ['Fox@mayfly.test', 'nobody@void.test', fox.address, owl.address],
  });
  const noting = { ...deps, onReceived: log.recordReceived };
  const { ingestId } = await receiveMessage(noting, incoming, [fox, { unknownAt: '@void.test' }, fox, owl]);
  expect(outcomes(log)).toEqual([
    'accepted owl@mayfly.test',
    'accepted fox@mayfly.test',
    'discarded nobody@void.test',
    'accepted Fox@mayfly.test',
  ]);
  const [first] = log.list({ address: 'owl', outcome: undefined, limit: 1 });
  expect(first).toEqual({
    at: 5,
    address: 'owl@mayfly.test',
    outcome: 'accepted',
    reply: `250 2.0.0 OK ${ingestId}`,
    sizeBytes: plainMail('secret subject').length,
    remoteAddress: '192.0.2.7',
    tls: null,
  });
  expect(JSON.stringify(log.list({ address: '', outcome: undefined, limit: 9 }))).not.toMatch(
    /secret|sender/,
  );
});

it('does not tell of a session that ended between RCPT and the commit as of one that got the message', async () => {
  const { deps, lend, store } = await openServices();
  const [fox, owl] = [await lend('fox'), await lend('owl')];
  await store.mail.endSession(owl.key);
  const log = createRecentDeliveries();
  const incoming = toIncoming(plainMail('a'), { rcptTo: [fox.address, owl.address] });
  await receiveMessage({ ...deps, onReceived: log.recordReceived }, incoming, [fox, owl]);
  expect(outcomes(log)).toEqual(['accepted fox@mayfly.test']);
});

it('finds by outcome and by the beginning of the address', async () => {
  const { lend } = await openServices();
  const log = createRecentDeliveries();
  const about = { sizeBytes: 9, remoteAddress: '192.0.2.1', tls: null, mailFrom: 'x@example.org' };
  log.recordRefusal([await lend('fox'), 'operator'], { reply: '552 5.3.4 Message is too big', ...about });
  log.recordRefusal([await lend('owl')], { reply: '452 4.2.2 Recipient is over quota', ...about });
  unknown(log, 'Foxy');
  expect(outcomes(log, '', 'deferred')).toEqual(['deferred owl@mayfly.test']);
  expect(outcomes(log, 'fox').sort()).toEqual(['refused Foxy@mayfly.test', 'refused fox@mayfly.test']);
  expect(outcomes(log, '', 'accepted')).toEqual([]);
  expect(log.list({ address: '', outcome: undefined, limit: 2 })).toHaveLength(2);
});

it('forgets what is a day old, and keeps so many at most; guesses push out guesses alone', async () => {
  let now = 0;
  const { lend } = await openServices();
  const log = createRecentDeliveries(() => now);
  const about = { sizeBytes: null, remoteAddress: '192.0.2.1', tls: null, mailFrom: null };
  log.recordRefusal([await lend('fox')], { reply: '552 5.3.4 Message is too big', ...about });
  for (let count = 0; count < 5000; count++) unknown(log, `guess${count}`);
  expect(outcomes(log, 'fox')).toEqual(['refused fox@mayfly.test']);
  const guesses = log.list({ address: 'guess', outcome: undefined, limit: 10_000 });
  expect([guesses.length, guesses[0]?.address]).toEqual([500, 'guess4999@mayfly.test']);
  now = dayMs + 1;
  expect(outcomes(log)).toEqual([]);
});
