// The same filters apply to listing, waiting, streaming, deleting and marking messages.
import { describe, expect, it } from 'vitest';

import { openStream } from '../support/clients/event-source.ts';
import { ask, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

const mail = (subject: string, text = 'Hello', from = 'Ann Other <ann@shop.example>'): string =>
  `From: ${from}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;

const verify = 'Please confirm your address: https://shop.example/verify?t=8f3ka92hdk2';

async function start() {
  const harness = await startHttp();
  const { token, session } = await harness.lend('quiet-fox');
  const get = (target: string, bearer = token, more: Record<string, string> = {}): Promise<HttpAnswer> =>
    ask(harness, target, { headers: { authorization: `Bearer ${bearer}`, ...more } });
  const post = (path: string, given: object): Promise<HttpAnswer> =>
    postJson(harness, path, { token, ...given });
  const idsOf = async (answer: Promise<HttpAnswer>): Promise<number[]> => {
    const { status, json } = await answer;
    expect([status, json.status]).toEqual([200, 'success']);
    return json.messages.map(({ id }: { id: number }) => id);
  };
  return {
    harness,
    token,
    session,
    get,
    post,
    find: (query: string, bearer = token) => idsOf(get(`/check-mail?${query}`, bearer)),
    deliver: (raw: string, to?: readonly string[]) => harness.deliver(raw, [session], to),
    /** Resolves when this many requests are waiting in the service. */
    waiting: (count: number): Promise<void> =>
      expect.poll(() => harness.countLive(), { interval: 5 }).toBe(count),
  };
}

async function startWithMail() {
  const started = await start();
  await started.deliver(mail('first', 'The needle is here.', 'bob@bank.example'));
  await started.deliver(mail('second', 'Your code is 482913.'), [
    'Quiet-Fox+Shop@mayfly.test',
    'quiet-fox+b.c@mayfly.test',
  ]);
  started.harness.advance(10_000);
  await started.deliver(mail('third', verify));
  return started;
}

describe('check-mail', () => {
  it.each([
    ['to=fox%2Bshop@', [2]],
    ['to=QUIET', [3, 2, 1]],
    ['from=bob', [1]],
    ['from=ann+other', [3, 2]],
    ['subject=IR', [3, 1]],
    ['q=needle', [1]],
    ['q=needle+bank', [1]],
    ['q=needle+shop', []],
    ['q=thir%20ann', [3]],
    ['tag=shop', [2]],
    ['tag=b.c', [2]],
    ['tag=b', []],
    ['has_code=1', [2]],
    ['has_code=0', [3, 2, 1]],
    ['code_kind=otp', [2]],
    ['code_kind=pickup', []],
    ['code_kind=quoted', []],
    ['link=verify', [3]],
    ['link=any', [3]],
    ['link=reset', []],
    ['since=2000-01-01', [3, 2, 1]],
    ['since=2990-01-01+00:00:00', []],
    ['from=ann&limit=1', [3]],
    ['from=ann&limit=1&after=0', [2]],
    ['from=ann&before=3', [2]],
    ['q=', [3, 2, 1]],
    ['q=from:bob', [1]],
    ['q=from:"ann+other"+subject:third', [3]],
    ['q=to:%2Bshop', [2]],
    ['q=has:code', [2]],
    ['q=has:attachment', []],
    ['q=is:unread+needle', [1]],
    ['q=is:read', []],
    ['q="needle+is"', [1]],
    ['q="is+needle"', []],
    ['q=has:cod', []],
    ['q=from:ann&subject=second', [2]],
  ])('finds %s', async (query, ids) => {
    const { find } = await startWithMail();
    expect(await find(query)).toEqual(ids);
  });

  it('finds what has a file, and what is read, as it changes', async () => {
    const { find, deliver, get, post } = await startWithMail();
    const parts = [
      'Content-Type: text/plain\r\n\r\nSee the file.',
      'Content-Type: text/csv; name=a.csv\r\n\r\n1,2',
    ];
    await deliver(
      `Subject: file\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
        `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
    );
    expect(await find('q=has:attachment')).toEqual([4]);
    expect(await find('q=has:attachment+is:unread')).toEqual([4]);
    await get('/read-mail?id=4');
    expect(await find('q=is:read')).toEqual([4]);
    expect(await find('q=has:attachment+is:unread')).toEqual([]);
    await post('/mark-mail', { q: 'has:attachment', read: 0 });
    expect(await find('q=is:unread')).toEqual([4, 3, 2, 1]);
  });

  it.each(['""', '“”', '  "  "'])(
    'takes a search of marks alone, %j, for none, and deletes nothing by it',
    async (q) => {
      const { find, post } = await startWithMail();
      expect((await post('/delete-mail', { q })).json.code).toBe('missing_parameter');
      expect(await find(`q=${encodeURIComponent(q)}`)).toEqual([3, 2, 1]);
    },
  );

  it('accepts every form of an instant for since', async () => {
    const { find, get } = await startWithMail();
    const { messages } = (await get('/check-mail')).json;
    const last: string = messages[0].received_at;
    const at = Date.parse(`${last.replace(' ', 'T')}Z`);
    const forms = [last, `${last.replace(' ', 'T')}Z`, new Date(at).toISOString(), String(at / 1000)];
    for (const form of forms) expect(await find(`since=${encodeURIComponent(form)}`)).toEqual([3]);
    const ahead = new Date(at + 7_200_000).toISOString().replace('Z', '+02:00');
    expect(await find(`since=${encodeURIComponent(ahead)}`)).toEqual([3]);
    expect(await find(`since=${at / 1000 + 1}`)).toEqual([]);
  });

  it.each([
    ['link', 'unsubscribe'],
    ['has_code', 'maybe'],
    ['code_kind', 'any'],
    ['since', 'yesterday'],
    ['since', '2026-13-01'],
    ['since', '99999999999999'],
    ['q', 'x'.repeat(201)],
    ['to', 'x'.repeat(201)],
    ['tag', 'x'.repeat(201)],
  ])('refuses %s=%s', async (parameter, value) => {
    const { get } = await start();
    for (const path of ['/check-mail', '/wait-mail', '/events']) {
      expect((await get(`${path}?${parameter}=${value}`)).json).toMatchObject({
        code: 'invalid_parameter',
        parameter,
      });
    }
  });

  it('returns 304 for the tag of the matches, one per filter, until something changes', async () => {
    const { get, deliver } = await startWithMail();
    const tagOf = async (query: string) => String((await get(`/check-mail?${query}`)).headers.etag);
    const tags = [await tagOf('from=ann'), await tagOf('from=bob'), await tagOf('limit=3')];
    expect(new Set(tags).size).toBe(3);
    const again = async (query: string) =>
      (await get(`/check-mail?${query}`, undefined, { 'if-none-match': tags[0] ?? '' })).status;
    expect(await again('from=ann')).toBe(304);
    expect(await again('from=bob')).toBe(200);
    await deliver(mail('fourth'));
    expect(await again('from=ann')).toBe(200);
  });

  it('waits until a message matches', async () => {
    const { find, deliver, waiting } = await startWithMail();
    const answer = find('wait=60&q=straw+later');
    await waiting(1);
    await deliver(mail('straw'));
    await deliver(mail('later', 'with straw in it'));
    expect(await answer).toEqual([5]);
    expect(await find('wait=60&subject=later')).toEqual([5]);
    expect(await find('wait=1&after=5&subject=later')).toEqual([]);
  });

  it('lets a share search what it may read, and nothing else', async () => {
    const { find, post, waiting, deliver } = await startWithMail();
    const whole = (await post('/create-share', {})).json.share;
    const one = (await post('/create-share', { id: 1 })).json.share;
    expect(await find('q=code', whole)).toEqual([2]);
    expect(await find('q=needle', one)).toEqual([1]);
    expect(await find('q=code', one)).toEqual([]);
    expect(await find('from=ann', one)).toEqual([]);
    const answer = find('wait=1&from=ann', one);
    await waiting(1);
    await deliver(mail('another'));
    expect(await answer).toEqual([]);
    for (const path of ['/delete-mail', '/mark-mail']) {
      expect((await post(path, { token: whole, id: 1, read: 0 })).json.code).toBe('read_only');
    }
  });
});

describe('wait-mail', () => {
  it.each([
    ['tag=SHOP', 'second'],
    ['to=b.c@', 'second'],
    ['link=verify', 'third'],
    ['q=needle', 'first'],
    ['q=needle&link=any', null],
    ['from=ann&contains=confirm', 'third'],
  ])('finds %s', async (query, subject) => {
    const { get } = await startWithMail();
    const { json } = await get(`/wait-mail?timeout=0&${query}`);
    expect(json.message?.subject ?? null).toBe(subject);
  });
});

describe('a stream', () => {
  it('reports messages that match, and all other events', async () => {
    const { harness, token, post, deliver } = await startWithMail();
    const stream = await openStream(harness, { token, query: '&after=0&q=needle' });
    await deliver(mail('fourth', 'no match'));
    await post('/mark-mail', { id: 1, read: 1 });
    await deliver(mail('fifth', 'Another needle'));
    await post('/mark-mail', { id: 1, read: 0 });
    await post('/delete-mail', { id: 2 });
    await stream.take(5);
    expect(stream.events.map(({ id, event, data }) => [id, event, data['id']])).toEqual([
      ['1', 'message.received', 1],
      ['5', 'message.read', 1],
      ['6', 'message.received', 6],
      ['7', 'message.unread', 1],
      ['8', 'message.deleted', 2],
    ]);
  });

  it('omits filtered messages without a trace', async () => {
    const { harness, token, deliver } = await start();
    const stream = await openStream(harness, { token, query: '&subject=right' });
    await deliver(mail('wrong'));
    await deliver(mail('right'));
    const [event] = await stream.take(1);
    expect([event?.id, stream.lastEventId, stream.events.length]).toEqual(['2', '2', 1]);
  });
});

describe('delete-mail', () => {
  it('deletes all matches, and lists them', async () => {
    const { post, find } = await startWithMail();
    expect((await post('/delete-mail', { from: 'ann', since: '2000-01-01' })).json).toEqual({
      status: 'success',
      id: 3,
      ids: [3, 2],
      count: 2,
    });
    expect((await post('/delete-mail', { from: 'ann' })).json).toMatchObject({ id: 0, ids: [], count: 0 });
    expect(await find('')).toEqual([1]);
    expect((await post('/delete-mail', { id: 1 })).json).toEqual({ status: 'success', id: 1 });
    expect((await post('/delete-mail', { id: 1 })).json.code).toBe('message_not_found');
  });

  it.each([
    [{}, 'missing_parameter'],
    [{ all: 0 }, 'missing_parameter'],
    [{ has_code: 0 }, 'missing_parameter'],
    [{ from: '' }, 'missing_parameter'],
    [{ q: '  ' }, 'missing_parameter'],
    [{ id: 1, from: 'ann' }, 'conflicting_parameters'],
    [{ id: 1, all: 1 }, 'conflicting_parameters'],
    [{ id: 'x' }, 'invalid_parameter'],
    [{ ids: '1,' }, 'invalid_parameter'],
    [{ ids: '1 2' }, 'invalid_parameter'],
    [{ ids: '-1' }, 'invalid_parameter'],
    [{ ids: ' ' }, 'invalid_parameter'],
    [{ ids: '1,'.repeat(9_000) }, 'invalid_parameter'],
    [{ ids: '1,2', id: 1 }, 'conflicting_parameters'],
    [{ ids: '1,2', all: 1 }, 'conflicting_parameters'],
    [{ ids: '1,2', from: 'ann' }, 'conflicting_parameters'],
    [{ since: {} }, 'invalid_parameter'],
  ])('deletes nothing for %j', async (given, code) => {
    const { post, find } = await startWithMail();
    expect((await post('/delete-mail', given)).json).toMatchObject({ status: 'error', code });
    expect((await post('/mark-mail', { read: 1, ...given })).json).toMatchObject({ code });
    expect(await find('')).toEqual([3, 2, 1]);
  });

  it('deletes those of the named messages that exist, and leaves the others', async () => {
    const { post, find } = await startWithMail();
    expect((await post('/delete-mail', { ids: '1,3,1,99' })).json).toEqual({
      status: 'success',
      id: 3,
      ids: [3, 1],
      count: 2,
    });
    expect((await post('/delete-mail', { ids: '1,3' })).json).toMatchObject({ id: 0, ids: [], count: 0 });
    expect(await find('')).toEqual([2]);
  });

  it('deletes everything of its session, and of no other, on request', async () => {
    const { harness, post, find } = await startWithMail();
    const other = await harness.lend();
    await harness.deliver(mail('other'), [other.session]);
    expect((await post('/delete-mail', { all: 1 })).json).toMatchObject({ ids: [3, 2, 1], count: 3 });
    expect(await find('')).toEqual([]);
    expect(await find('', other.token)).toEqual([1]);
  });
});

describe('mark-mail', () => {
  it('marks one or all that match, and back', async () => {
    const { post, get } = await startWithMail();
    const read = async () =>
      (await get('/check-mail')).json.messages.map(({ is_read: is }: { is_read: boolean }) => is);
    expect((await post('/mark-mail', { from: 'ann', read: 1 })).json).toEqual({
      status: 'success',
      read: true,
      ids: [3, 2],
      count: 2,
    });
    expect(await read()).toEqual([true, true, false]);
    expect((await post('/mark-mail', { id: 3, read: 0 })).json).toMatchObject({ read: false, ids: [3] });
    expect(await read()).toEqual([false, true, false]);
    expect((await post('/mark-mail', { all: 1, read: 0 })).json).toMatchObject({ count: 3 });
    expect(await read()).toEqual([false, false, false]);
    expect((await post('/mark-mail', { ids: '1,3,7', read: 1 })).json).toMatchObject({
      ids: [3, 1],
      count: 2,
    });
    expect(await read()).toEqual([true, false, true]);
  });

  it('a message marked unread is marked again when it is read again', async () => {
    const { post, get } = await startWithMail();
    const isRead = async () => (await get('/check-mail?before=2')).json.messages[0].is_read;
    await get('/read-mail?id=1');
    expect(await isRead()).toBe(true);
    await post('/mark-mail', { id: 1, read: 0 });
    expect(await isRead()).toBe(false);
    expect((await get('/read-mail?id=1')).json.message.is_read).toBe(true);
    expect(await isRead()).toBe(true);
  });

  it('requires a direction, and a message of its own', async () => {
    const { harness, post } = await startWithMail();
    expect((await post('/mark-mail', { id: 1 })).json).toMatchObject({
      code: 'missing_parameter',
      parameter: 'read',
    });
    expect((await post('/mark-mail', { id: 4, read: 0 })).json.code).toBe('message_not_found');
    const other = await harness.lend();
    expect((await post('/mark-mail', { token: other.token, id: 1, read: 0 })).json.code).toBe(
      'message_not_found',
    );
  });
});
