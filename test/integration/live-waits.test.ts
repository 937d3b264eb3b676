// check-mail's `wait` and GET /wait-mail: respond at once if mail is there, else when it arrives, else after the wait.
import { request } from 'node:http';

import { describe, expect, it } from 'vitest';

import { ask, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

const mail = (subject: string, text = 'Hello', from = 'Ann Other <ann@shop.example>'): string =>
  `From: ${from}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;

async function startWithSession() {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const get = (target: string): Promise<HttpAnswer> =>
    ask(harness, target, { headers: { authorization: `Bearer ${token}` } });
  const deliver = (raw: string): Promise<number> => harness.deliver(raw, [session]);
  /** Resolves when this many requests are waiting in the service. */
  const waiting = (count: number): Promise<void> =>
    expect.poll(() => harness.countLive(), { interval: 5 }).toBe(count);
  return { harness, token, session, get, deliver, waiting };
}

describe('check-mail with wait', () => {
  it('returns at once when a message after `after` is there', async () => {
    const { get, deliver } = await startWithSession();
    await deliver(mail('there'));
    const began = performance.now();
    expect((await get('/check-mail?wait=60')).json.messages).toHaveLength(1);
    expect((await get('/check-mail?wait=60&after=0')).json.messages).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(50_000);
  });

  it('returns when a message arrives', async () => {
    const { get, deliver, waiting } = await startWithSession();
    await deliver(mail('old'));
    const answer = get('/check-mail?wait=60&after=1');
    await waiting(1);
    await deliver(mail('new'));
    const { json } = await answer;
    expect(json.messages).toEqual([expect.objectContaining({ id: 2, subject: 'new' })]);
    await waiting(0);
  });

  it('returns an empty list when none arrives', async () => {
    const { get, waiting } = await startWithSession();
    const began = performance.now();
    const answer = await get('/check-mail?wait=1');
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    expect([answer.status, answer.json.messages]).toEqual([200, []]);
    await waiting(0);
  });

  it('does not wake for other events', async () => {
    const { harness, session, get, deliver, waiting } = await startWithSession();
    await deliver(mail('old'));
    const answer = get('/check-mail?wait=60&after=1');
    await waiting(1);
    await harness.store.mail.extendSession(session.key, 7_200_000);
    await harness.store.mail.deleteMessage(session.key, 1);
    await deliver(mail('new'));
    expect((await answer).json.messages).toEqual([expect.objectContaining({ subject: 'new' })]);
  });

  it.each(['-1', '61', 'x'])('refuses wait=%s', async (wait) => {
    const { get } = await startWithSession();
    expect((await get(`/check-mail?wait=${wait}`)).json).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'wait',
    });
  });
});

describe('wait-mail', () => {
  it('returns the same as read-mail, marks the message read and has its code ready', async () => {
    const { get, deliver, waiting } = await startWithSession();
    const answer = get('/wait-mail?has_code=1');
    await waiting(1);
    await deliver(mail('Welcome', 'Nothing here'));
    await deliver(mail('Sign in', 'Your code is 482913. https://shop.example/verify?t=1'));
    const { message } = (await answer).json;
    const read = (await get('/read-mail?id=2')).json.message;
    expect(Object.keys(message)).toEqual(Object.keys(read));
    expect(message).toMatchObject({ id: 2, subject: 'Sign in', code: '482913', is_read: true });
    expect(message.codes[0]).toMatchObject({ value: '482913' });
    expect(message.links[0]).toMatchObject({ url: 'https://shop.example/verify?t=1' });
    expect((await get('/check-mail')).json.messages.map((one: { is_read: boolean }) => one.is_read)).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['from=ANN@shop', 'second'],
    ['from=ann+other', 'second'],
    ['subject=SECOND', 'second'],
    ['contains=needle', 'third'],
    ['contains=thir', 'third'],
    ['contains=Needle+here+on', 'third'],
    ['contains=re%CC%81sume%CC%81', 'third'],
    ['from=other+%3Cann@shop', 'second'],
    ['from=bob&contains=needle', null],
    ['subject=first&after=1', null],
    ['after=1', 'second'],
    ['', 'first'],
  ])('finds the oldest existing message that matches %s', async (query, subject) => {
    const { get, deliver } = await startWithSession();
    await deliver(mail('first', 'x', 'bob@bank.example'));
    await deliver(mail('second'));
    await deliver(mail('third', 'a hidden Needle here\r\non two lines, r\u00e9sum\u00e9'));
    const { json } = await get(`/wait-mail?timeout=0&${query}`);
    expect(json.message?.subject ?? null).toBe(subject);
  });

  it('is null when the time is up', async () => {
    const { get, waiting } = await startWithSession();
    const answer = await get('/wait-mail?timeout=1');
    expect(answer.json).toEqual({ status: 'success', message: null });
    await waiting(0);
  });

  it.each(['timeout=121', 'timeout=-1', 'has_code=maybe', `from=${'x'.repeat(201)}`])(
    'refuses %.20s',
    async (query) => {
      const { get } = await startWithSession();
      expect((await get(`/wait-mail?${query}`)).json.code).toBe('invalid_parameter');
    },
  );
});

describe.each(['/check-mail?wait=60', '/wait-mail?timeout=120'])('%s', (target) => {
  it('returns 410 when the session ends meanwhile', async () => {
    const { harness, token, get, waiting } = await startWithSession();
    const answer = get(target);
    await waiting(1);
    await postJson(harness, '/end-session', { token });
    const { status, json } = await answer;
    expect([status, json.code]).toEqual([410, 'session_expired']);
    await waiting(0);
  });

  it('returns 503 at once when the service stops', async () => {
    const { harness, get, waiting } = await startWithSession();
    const answer = get(target);
    await waiting(1);
    harness.closeLive();
    const { status, json, headers } = await answer;
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '5']);
  });

  it('frees everything when the client disconnects', async () => {
    const { harness, token, waiting } = await startWithSession();
    const sent = request({ port: harness.port, path: `${target}&token=${token}`, agent: false });
    sent.on('error', () => undefined).end();
    await waiting(1);
    sent.destroy();
    await waiting(0);
    expect(harness.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('refuses more waits than a session may have', async () => {
    const { harness, get, waiting } = await startWithSession();
    const waits = Array.from({ length: 10 }, () => get(target));
    await waiting(10);
    const refused = await get(target);
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_streams']);
    harness.closeLive();
    await Promise.all(waits);
  });
});
