// GET /events: which events arrive, in which order, where a stream resumes, and how it ends.
import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { eventLogMaxEntries } from '../../src/domain/event.ts';
import { type EventSourceClient, openStream } from '../support/clients/event-source.ts';
import { ask, postJson, startHttp } from './http-harness.ts';

const mail = (subject: string): string =>
  `From: Ann <ann@example.org>\r\nSubject: ${subject}\r\n\r\nYour code is 482913\r\n`;

async function startWithSession() {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const deliver = (subject: string): Promise<number> => harness.deliver(mail(subject), [session]);
  const open = (more: object = {}): Promise<EventSourceClient> => openStream(harness, { token, ...more });
  return { harness, token, session, deliver, open };
}

const subjects = (stream: EventSourceClient): unknown[] => stream.events.map(({ data }) => data['subject']);

describe('a stream', () => {
  it('keeps a thread that reads mail ready as long as its session lives', async () => {
    const kept: number[] = [];
    const readers = { expect: (keepMs = 0): void => void kept.push(keepMs) };
    const harness = await startHttp({ wrapDeps: (deps) => ({ ...deps, readers }) });
    const { token, session } = await harness.lend();
    kept.length = 0;
    await openStream(harness, { token });
    expect(kept).toHaveLength(1);
    expect(kept[0]).toBeGreaterThan(session.expiresAt - Date.now() - 60_000);
  });

  it('has the header that proxies need, a retry and the position in the log', async () => {
    const { open, deliver } = await startWithSession();
    await deliver('before');
    const stream = await open();
    await stream.until(() => stream.retries.length > 0);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.response.headers).not.toHaveProperty('content-length');
    expect([stream.retries, stream.lastEventId, stream.events]).toEqual([[2000], '1', []]);
  });

  it('sends everything from now on, in order, each as check-mail shows it', async () => {
    const { harness, token, session, open, deliver } = await startWithSession();
    const stream = await open();
    const first = await deliver('first');
    await stream.take(1);
    const listed = (await ask(harness, `/check-mail?token=${token}`)).json.messages;
    expect(stream.events[0]).toEqual({ id: '1', event: 'message.received', data: listed[0] });
    expect(stream.events[0]!.data).toMatchObject({ subject: 'first', code: '482913', is_read: false });
    await harness.store.mail.deleteMessage(session.key, first);
    await stream.take(2);
    await harness.store.mail.extendSession(session.key, 7_200_000);
    await stream.take(3);
    await postJson(harness, '/end-session', { token });
    await stream.ended();
    expect(stream.events.slice(1)).toEqual([
      { id: '2', event: 'message.deleted', data: { id: 1 } },
      {
        id: '3',
        event: 'session.extended',
        data: { expires_at: expect.any(String), expires_in: expect.any(Number) },
      },
      { id: '4', event: 'session.expired', data: { expired_at: expect.any(String) } },
    ]);
    expect((await ask(harness, `/events?token=${token}`)).status).toBe(410);
  });

  it('tells that a message was read, once however often that is', async () => {
    const { harness, token, open, deliver } = await startWithSession();
    const id = await deliver('read by many');
    const stream = await open();
    const read = `/read-mail?token=${token}&id=${id}`;
    await Promise.all(Array.from({ length: 20 }, () => ask(harness, read)));
    await ask(harness, `/wait-mail?token=${token}`);
    await postJson(harness, '/mark-mail', { token, id, read: 1 });
    for (const path of ['peek-mail', 'raw-mail']) await ask(harness, `/${path}?token=${token}&id=${id}`);
    await postJson(harness, '/mark-mail', { token, id, read: 0 });
    await ask(harness, read);
    await ask(harness, read);
    await postJson(harness, '/delete-mail', { token, id });
    expect((await stream.take(4)).map(({ event, data }) => [event, data['id']])).toEqual([
      ['message.read', id],
      ['message.unread', id],
      ['message.read', id],
      ['message.deleted', id],
    ]);
  });

  it('ends with session.expired when the time of the session is up', async () => {
    const { harness, open } = await startWithSession();
    const stream = await open();
    await stream.until(() => stream.lastEventId !== '');
    harness.advance(3_601_000);
    await stream.ended();
    expect(stream.events.map(({ event }) => event)).toEqual(['session.expired']);
  });

  it('answers HEAD with the header alone and counts it as no stream', async () => {
    const { harness, token } = await startWithSession();
    for (let count = 0; count < 5; count++) {
      const answer = await ask(harness, `/events?token=${token}`, { method: 'HEAD' });
      expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        '',
      ]);
    }
  });
});

describe('resuming', () => {
  it('continues after Last-Event-ID without gap or repetition', async () => {
    const { open, deliver } = await startWithSession();
    const first = await open();
    await deliver('one');
    await deliver('two');
    await first.take(2);
    first.close();
    await deliver('three');
    const second = await open({ lastEventId: first.lastEventId });
    await deliver('four');
    await second.take(2);
    expect([...subjects(first), ...subjects(second)]).toEqual(['one', 'two', 'three', 'four']);
  });

  it('starts at the beginning with after=0, and Last-Event-ID wins over after', async () => {
    const { open, deliver } = await startWithSession();
    for (const subject of ['one', 'two', 'three']) await deliver(subject);
    const all = await open({ query: 'after=0' });
    await all.take(3);
    const rest = await open({ query: 'after=0', lastEventId: '2' });
    await rest.take(1);
    expect([subjects(all), subjects(rest)]).toEqual([['one', 'two', 'three'], ['three']]);
  });

  it('skips messages deleted since, and continues after the id of one', async () => {
    const { harness, session, open, deliver } = await startWithSession();
    for (const subject of ['one', 'two', 'three']) await deliver(subject);
    await harness.store.mail.deleteMessage(session.key, 2);
    const all = await open({ query: 'after=0' });
    await all.take(3);
    expect(all.events.map(({ id, event }) => `${id} ${event}`)).toEqual([
      '1 message.received',
      '3 message.received',
      '4 message.deleted',
    ]);
    const after = await open({ lastEventId: '2' });
    await after.take(2);
    expect(after.events.map(({ id }) => id)).toEqual(['3', '4']);
  });

  it.each(['9999', 'garbage', '-1', '1.5', '1e3', '9'.repeat(40), '%00', 'ev1; drop'])(
    'answers Last-Event-ID %s, which is not in the log, with one reset and continues from now',
    async (lastEventId) => {
      const { open, deliver } = await startWithSession();
      await deliver('before');
      const stream = await open({ lastEventId });
      await stream.take(1);
      await deliver('after');
      await stream.take(2);
      expect(stream.events).toEqual([
        { id: '1', event: 'reset', data: { after: 1 } },
        { id: '2', event: 'message.received', data: expect.objectContaining({ subject: 'after' }) },
      ]);
    },
  );

  it('resets a client that is behind the start of the log', async () => {
    const { harness, session, open } = await startWithSession();
    for (let count = 0; count <= eventLogMaxEntries / 2; count++) {
      const id = await harness.deliver(mail('x'), [session]);
      await harness.store.mail.deleteMessage(session.key, id);
    }
    const stream = await open({ lastEventId: '1' });
    await stream.take(1);
    expect(stream.events[0]).toEqual({ id: '1002', event: 'reset', data: { after: 1002 } });
  });

  it('refuses an `after` that is not a number', async () => {
    const { harness, token } = await startWithSession();
    const answer = await ask(harness, `/events?token=${token}&after=x`);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_parameter']);
  });
});

describe('limits', () => {
  it('refuse a fourth stream of one token, and admit one again when one is gone', async () => {
    const { harness, token, open } = await startWithSession();
    const streams = await Promise.all([open(), open(), open()]);
    const refused = await ask(harness, `/events?token=${token}`);
    expect([refused.status, refused.json.code, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_streams',
      '5',
    ]);
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
    streams[0].close();
    await expect.poll(async () => (await open()).response.statusCode).toBe(200);
  });

  it('require a token, and grant nothing to a foreign origin', async () => {
    const { harness, token } = await startWithSession();
    expect((await ask(harness, '/events')).json.code).toBe('missing_token');
    expect((await ask(harness, `/events?token=${token.slice(0, -2)}aa`)).json.code).toBe('unknown_token');
    const stream = await openStream(harness, { token, headers: { origin: 'http://evil.example' } });
    expect(stream.response.headers).not.toHaveProperty('access-control-allow-origin');
    const rebound = await ask(harness, `/events?token=${token}`, { headers: { host: 'evil.example:8080' } });
    expect(rebound.json.code).toBe('wrong_host');
  });

  it('hold back for a client that does not read, and send it everything once it does', async () => {
    const { harness, token, session } = await startWithSession();
    const socket = connect(harness.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET /events?after=0&token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    for (let count = 0; count < 90; count++) {
      await harness.deliver(mail(`${count} ${'ä'.repeat(400)}`), [session]);
    }
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.resume();
    await expect.poll(() => text.match(/^event: message\.received$/gm)?.length).toBe(90);
    const ids = [...text.matchAll(/^id: (\d+)\nevent/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 90 }, (_, at) => at + 1));
    socket.destroy();
  });

  it('leave nothing behind of closed streams', async () => {
    const { harness, token, open } = await startWithSession();
    for (let count = 0; count < 20; count++) {
      const streams = await Promise.all([open(), open(), open()]);
      for (const stream of streams) stream.close();
      await expect.poll(() => harness.countLive()).toBe(0);
    }
    expect((await ask(harness, `/check-mail?token=${token}`)).status).toBe(200);
  });
});

describe('shutdown', () => {
  it('ends streams with a time to reconnect', async () => {
    const { harness, open } = await startWithSession();
    const stream = await open();
    await stream.until(() => stream.retries.length > 0);
    harness.closeLive();
    await stream.ended();
    expect(stream.retries[1]).toBeGreaterThanOrEqual(1000);
    expect(stream.retries[1]).toBeLessThanOrEqual(5000);
    expect(stream.events).toEqual([]);
    expect((await open()).response.statusCode).toBe(503);
  });
});
