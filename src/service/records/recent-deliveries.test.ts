import { expect, it } from 'vitest';

import { openServices, plainMail, toIncoming } from '../../../test/support/service/service-fixture.ts';
import {
  createRecentDeliveries,
  type DeliveryFilter,
  type RecentDeliveries,
  type RecentOutcome,
} from './recent-deliveries.ts';
import { receiveMessage } from '../receiving/receive-message.ts';

const dayMs = 24 * 60 * 60 * 1000;

const all: DeliveryFilter = { limit: 10_000 };

function outcomes(log: RecentDeliveries, address = '', outcome?: RecentOutcome): string[] {
  return log.list({ ...all, address, outcome, limit: 100 }).map((one) => `${one.outcome} ${one.address}`);
}

const guesser = { remoteAddress: '198.51.100.1', tls: null, mailFrom: null, helo: 'guess.example' };

function unknown(log: RecentDeliveries, localPart: string): void {
  log.recordUnknownRecipient({ localPart, domain: 'mayfly.test' }, '550 5.1.1 No such mailbox', guesser);
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
  const [first] = log.list({ ...all, address: 'owl', limit: 1 });
  expect(first).toEqual({
    at: 5,
    address: 'owl@mayfly.test',
    outcome: 'accepted',
    reply: `250 2.0.0 OK ${ingestId}`,
    sizeBytes: plainMail('secret subject').length,
    remoteAddress: '192.0.2.7',
    helo: 'client.example',
    tls: null,
    senderDomain: 'example.org',
    id: ingestId,
    connection: null,
  });
  expect(JSON.stringify(log.list(all))).not.toMatch(/secret|sender@/);
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
  expect(log.list({ ...all, limit: 2 })).toHaveLength(2);
});

it('forgets what is a day old, and keeps so many at most; guesses push out guesses alone', async () => {
  let now = 0;
  const { lend } = await openServices();
  const log = createRecentDeliveries(() => now);
  const about = { sizeBytes: null, remoteAddress: '192.0.2.1', tls: null, mailFrom: null };
  log.recordRefusal([await lend('fox')], { reply: '552 5.3.4 Message is too big', ...about });
  for (let count = 0; count < 5000; count++) unknown(log, `guess${count}`);
  expect(outcomes(log, 'fox')).toEqual(['refused fox@mayfly.test']);
  const guesses = log.list({ ...all, address: 'guess' });
  expect([guesses.length, guesses[0]?.address]).toEqual([1000, 'guess4999@mayfly.test']);
  now = dayMs + 1;
  expect(outcomes(log)).toEqual([]);
});

it('is searched by host, sender’s domain, reply, id and time, and by several of them', async () => {
  let now = 1_000_000;
  const { lend } = await openServices();
  const log = createRecentDeliveries(() => now);
  const session = await lend('fox');
  const refuse = (
    reply: string,
    remoteAddress: string,
    mailFrom: string | null,
    connection: string,
  ): void => {
    now += 10_000;
    const peer = { remoteAddress, mailFrom, connection, helo: 'mx.one.example', tls: null };
    log.recordRefusal([session], { reply, sizeBytes: null, ...peer });
  };
  refuse('452 4.2.2 Recipient is over quota', '192.0.2.7', 'a@news.one.example', 'c-1');
  refuse('552 5.3.4 Message is too big', '192.0.2.8', 'a@two.example', 'c-2');
  refuse('552 5.3.4 Message is too big', '2001:db8::7', null, 'c-3');
  unknown(log, 'nobody');
  const found = (filter: Partial<DeliveryFilter>): (string | null)[] =>
    log.list({ ...all, ...filter }).map(({ connection }) => connection);
  expect(found({ host: '192.0.2.0/24' })).toEqual(['c-2', 'c-1']);
  expect(found({ host: '2001:DB8:0::7' })).toEqual(['c-3']);
  expect(found({ host: 'guess.example' })).toEqual([null]);
  expect(found({ sender: 'one.example' })).toEqual(['c-1']);
  expect(found({ reply: 'OVER quota' })).toEqual(['c-1']);
  expect(found({ reply: '5.3.4' })).toEqual(['c-3', 'c-2']);
  expect(found({ id: 'c-2' })).toEqual(['c-2']);
  expect(found({ id: 'c-' })).toEqual([]);
  expect(found({ since: 1_020_000, until: 1_029_000 })).toEqual(['c-2']);
  expect(found({ host: '192.0.2.0/24', reply: '552', sender: 'two.example' })).toEqual(['c-2']);
});
