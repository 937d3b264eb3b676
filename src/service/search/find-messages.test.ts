import { expect, it, onTestFinished, vi } from 'vitest';

import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import { bindTestServices } from '../../../test/support/service/test-deps.ts';
import { parseMailQuery } from '#mail-query/mail-query';
import { CallerGone } from '../session/caller-gone.ts';
import type { MessageSearch } from './find-messages.ts';
import { withRequester } from '../session/turn-owner.ts';

async function open(options: Parameters<typeof openServices>[0] = {}) {
  const fixture = await openServices(options);
  const { services } = bindTestServices(fixture.deps);
  const session = await fixture.lend();
  const now = () => fixture.refresh(session);
  return {
    ...fixture,
    services,
    now,
    session,
    receive: (subject: string, body?: string) => fixture.deliver(plainMail(subject, body), session),
    find: async (search: MessageSearch) =>
      (await services.findMessages(await now(), search)).map(({ id }) => id),
  };
}

it('finds by the text, newest first, and within a range', async () => {
  const { receive, find } = await open();
  for (const word of ['ant', 'bee', 'ant', 'ant', 'bee']) await receive('Insect', `An ${word} it is.`);
  expect(await find({ query: parseMailQuery('ANT') })).toEqual([4, 3, 1]);
  expect(await find({ query: parseMailQuery('ant insect') })).toEqual([4, 3, 1]);
  expect(await find({ query: parseMailQuery('ant'), limit: 2 })).toEqual([4, 3]);
  expect(await find({ query: parseMailQuery('ant'), after: 0, limit: 2 })).toEqual([3, 1]);
  expect(await find({ query: parseMailQuery('ant'), after: 1, before: 4 })).toEqual([3]);
  expect(await find({ query: parseMailQuery('ant bee') })).toEqual([]);
  expect(await find({})).toEqual([5, 4, 3, 2, 1]);
});

it('finds by the kind of a link and by a code', async () => {
  const { receive, find } = await open();
  await receive('Welcome', 'Please confirm your address: https://shop.example/verify?t=8f3ka92hdk2');
  await receive('Password', 'Reset your password: https://shop.example/reset?t=8f3ka92hdk2');
  await receive('News', 'Read https://shop.example/news or your code is 482913.');
  expect(await find({ link: 'verify' })).toEqual([1]);
  expect(await find({ link: 'reset' })).toEqual([2]);
  expect(await find({ link: 'any' })).toEqual([2, 1]);
  expect(await find({ link: 'login' })).toEqual([]);
  expect(await find({ hasCode: true })).toEqual([3]);
});

it('reads no more of messages than it must, and each once', async () => {
  const { receive, find, parserCalls, services, now } = await open();
  for (let i = 0; i < 12; i++) await receive(`No ${i}`, i % 2 === 0 ? 'even' : 'odd');
  expect(await find({ subject: 'No 1' })).toEqual([12, 11, 2]);
  expect(await find({ query: parseMailQuery('no 3') })).toEqual([4]);
  expect(parserCalls.examine).toBe(11);
  expect(await find({ query: parseMailQuery('no 3'), limit: 5 })).toEqual([4]);
  expect(parserCalls.examine).toBe(11);
  // The newest fill the limit.
  expect(await find({ query: parseMailQuery('odd'), limit: 2 })).toEqual([12, 10]);
  expect(parserCalls.examine).toBe(15);
  // Something new is examined, and nothing else.
  expect(await find({ query: parseMailQuery('even') })).toEqual([11, 9, 7, 5, 3, 1]);
  expect(parserCalls.examine).toBe(27);
  await receive('later', 'even');
  expect((await find({ query: parseMailQuery('even') }))[0]).toBe(13);
  expect(parserCalls.examine).toBe(28);
  const [one, other] = [
    await services.findMessages(await now(), { query: parseMailQuery('even') }),
    await services.findMessages(await now(), { query: parseMailQuery('even') }),
  ];
  expect(one).toBe(other);
  expect(parserCalls.examine).toBe(28);
});

it('goes over a thousand messages to the last', async () => {
  const fixture = await open({ limits: { sessionMessages: 1100 } });
  await fixture.receive('oldest');
  await Promise.all(Array.from({ length: 1050 }, () => fixture.receive('other')));
  expect(await fixture.find({ subject: 'oldest' })).toEqual([1]);
  await fixture.receive('newest');
  expect(await fixture.find({ subject: 'newest', after: 0 })).toEqual([1052]);
  expect(await fixture.find({ subject: 'e' })).toHaveLength(1052);
});

it('examines a few messages at a time, with the turns of others between', async () => {
  let running = 0;
  let most = 0;
  const { receive, find, deps, lend, deliver } = await open({
    limits: { sessionMessages: 500 },
    beforeParsing: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    },
  });
  await Promise.all(Array.from({ length: 100 }, () => receive('many')));
  const other = await lend();
  await deliver(plainMail('one', 'needle'), other);
  const { services } = bindTestServices(deps);
  await find({ subject: 'many' });
  most = 0;
  const done: string[] = [];
  const search = find({ query: parseMailQuery('nothing') }).then(() => done.push('many'));
  const small = services.readMail(other, { id: 1, marksRead: false }).then(() => done.push('one'));
  await Promise.all([search, small]);
  expect(done).toEqual(['one', 'many']);
  expect(most).toBeLessThanOrEqual(6);
});

it('deletes and marks all that match, and tells which', async () => {
  const { receive, services, now, find, store, session } = await open();
  for (const word of ['ant', 'bee', 'ant', 'bee']) await receive(word);
  expect(await services.deleteMatching(await now(), { subject: 'ant' })).toEqual([3, 1]);
  expect(await services.deleteMatching(await now(), { subject: 'ant' })).toEqual([]);
  expect(await services.markMail(await now(), { which: { filter: {} }, isRead: true })).toEqual([4, 2]);
  expect(await services.markMail(await now(), { which: { ids: [2, 3, 2] }, isRead: false })).toEqual([2]);
  const listed = await services.checkMail(await now());
  expect(listed.map(({ id, isRead }) => [id, isRead])).toEqual([
    [4, true],
    [2, false],
  ]);
  const { events } = await store.mail.listEvents(session.key, 4, 100);
  expect(events.map(({ kind, messageId }) => `${kind} ${messageId}`)).toEqual([
    'message.deleted 3',
    'message.deleted 1',
    'message.read 4',
    'message.read 2',
    'message.unread 2',
  ]);
  expect(await services.deleteMatching(await now(), {})).toEqual([4, 2]);
  expect(await find({})).toEqual([]);
});

it('keeps what one session has from the filters of another', async () => {
  const { receive, services, lend, find } = await open();
  await receive('ours', 'needle');
  const other = await lend();
  expect(await services.deleteMatching(other, { query: parseMailQuery('needle') })).toEqual([]);
  expect(await services.markMail(other, { which: { ids: [1] }, isRead: true })).toEqual([]);
  expect(await find({ query: parseMailQuery('needle') })).toEqual([1]);
});

it('reads nothing more once its caller has gone, while others who want the same go on', async () => {
  const gone = new AbortController();
  let reads = 0;
  const { receive, services, now } = await open({
    beforeParsing: async () => {
      reads += 1;
      if (reads === 4) gone.abort(new CallerGone());
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  for (let i = 0; i < 12; i++) await receive('many', i === 0 ? 'needle' : 'hay');
  await services.checkMail(await now());
  reads = 0;
  const left = services.findMessages(withRequester(await now(), { gone: gone.signal }), {
    query: parseMailQuery('needle'),
  });
  const stayed = services.findMessages(await now(), { query: parseMailQuery('needle'), limit: 12 });
  await expect(left).rejects.toThrow(CallerGone);
  expect((await stayed).map(({ id }) => id)).toEqual([1]);
  // Each was read once but for those that the first caller had begun to wait for.
  expect(reads).toBeLessThanOrEqual(12 + 4);
  reads = 0;
  const late = services.findMessages(withRequester(await now(), { gone: gone.signal }), {
    query: parseMailQuery('other'),
  });
  await expect(late).rejects.toThrow(CallerGone);
  expect(reads).toBe(0);
});

it('gives a search up when it takes long, and goes on with the next request', async () => {
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => {
    clock.mockRestore();
  });
  let ms = 0;
  clock.mockImplementation(() => ms);
  const { receive, find, parserCalls, services, now } = await open({
    beforeParsing: () => {
      ms += 1500;
      return Promise.resolve();
    },
  });
  for (let i = 0; i < 24; i++) await receive('many', 'hay');
  await services.checkMail(await now());
  await expect(find({ query: parseMailQuery('needle') })).rejects.toMatchObject({ code: 'unavailable' });
  expect(parserCalls.examine).toBeLessThan(24);
  expect(await find({ query: parseMailQuery('needle') })).toEqual([]);
  expect(parserCalls.examine).toBe(24);
});
