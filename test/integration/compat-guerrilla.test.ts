// Guerrilla Mail's dialect: every function of /ajax.php, as its clients call it.

import { describe, expect, it } from 'vitest';

import { guerrilla } from '../../src/compat/guerrilla/guerrilla.ts';
import { type CompatHarnessOptions, startCompat } from './compat-harness.ts';
import { ask, type Harness, type HttpAnswer } from './http-harness.ts';

const hour = 3600;

function mailOf(subject: string, body = 'Hi'): string {
  return `From: Ann <ann@example.org>\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;
}

type Pairs = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

function call(harness: Harness, f: string, given: Pairs = {}, headers: object = {}): Promise<HttpAnswer> {
  const query = new URLSearchParams([['f', f], ...(Array.isArray(given) ? given : Object.entries(given))]);
  return ask(harness, `/ajax.php?${query.toString()}`, { headers: { ...headers } });
}

async function startWithSession(options: CompatHarnessOptions = {}) {
  const harness = await startCompat(options);
  const { json } = await call(harness, 'get_email_address', { ip: '127.0.0.1', agent: 'test', lang: 'en' });
  const { sid_token: sid, email_addr: address } = json as { sid_token: string; email_addr: string };
  const session = (await harness.store.mail.findLiveSession(address))!;
  const deliver = (raw: string): Promise<number> => harness.deliver(raw, [session]);
  const run = (f: string, given: Record<string, string> = {}): Promise<HttpAnswer> =>
    call(harness, f, { sid_token: sid, ...given });
  return { harness, sid, address, session, deliver, run };
}

const noSubscription = { s_active: 'N', s_date: '', s_time: 0, s_time_expires: 0 };
const auth = { success: true, error_codes: [] };
const noMail = { sequence_mail: '0', received_emails: '0', total: '0', total_per_hour: '0' };
const emptyStats = { ...noMail, created_addresses: 1 };

describe('get_email_address', () => {
  it('lends an address for an hour, and returns the same one for its token or cookie', async () => {
    const harness = await startCompat();
    const { json, headers } = await call(harness, 'get_email_address', { sid_token: '' });
    expect(json).toEqual({
      email_addr: expect.stringMatching(/^[a-z]+\.[a-z]+\d\d@mayfly\.test$/),
      email_timestamp: expect.any(Number),
      alias: String(json.email_addr).split('@')[0],
      sid_token: expect.stringMatching(/^mf_/),
      ...noSubscription,
    });
    const session = (await harness.store.mail.findLiveSession(json.email_addr))!;
    expect(session.expiresAt - session.createdAt).toBe(hour * 1000);
    expect(json.email_timestamp).toBe(Math.floor(session.createdAt / 1000));
    const cookie = String(headers['set-cookie']);
    expect(cookie).toBe(`PHPSESSID=${json.sid_token}; Path=/ajax.php; HttpOnly; SameSite=Strict`);
    const again = [
      await call(harness, 'get_email_address', { sid_token: json.sid_token }),
      await call(harness, 'get_email_address', {}, { cookie: cookie.split(';')[0]! }),
      await call(harness, 'get_email_address', {}, { authorization: `Bearer ${json.sid_token}` }),
    ];
    for (const { json: own } of again) expect(own).toEqual(json);
  });

  it('lends another one once the session is over, under its own token', async () => {
    const { harness, sid, address, run } = await startWithSession();
    expect((await run('forget_me', { email_addr: address })).json).toBe(true);
    const { json } = await run('get_email_address');
    expect(json.email_addr).not.toBe(address);
    expect(json.sid_token).not.toBe(sid);
    expect(await harness.store.mail.findLiveSession(address)).toBeUndefined();
  });

  it('is subject to the rates, keys and caps of create-session', async () => {
    const rated = await startCompat({ access: { rates: { createsPerMinute: 2, createsPerDay: 100 } } });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      statuses.push((await call(rated, 'get_email_address')).status);
    }
    statuses.push((await call(rated, 'set_email_user', { email_user: 'fox' })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const keyed = await startCompat({ access: { isKeyRequired: true } });
    expect((await call(keyed, 'get_email_address')).json).toMatchObject({
      auth: { success: false, error_codes: ['invalid_api_key'] },
    });
    const capped = await startCompat({ access: { perAddress: 1 } });
    expect((await call(capped, 'get_email_address')).status).toBe(200);
    expect((await call(capped, 'get_email_address')).json.auth.error_codes).toEqual(['too_many_sessions']);
  });
});

describe('set_email_user', () => {
  it('changes the address under the same token, in GET and in a form', async () => {
    const { harness, sid, address, deliver, run } = await startWithSession();
    await deliver(mailOf('before'));
    const { json } = await run('set_email_user', { email_user: 'Quiet-Fox', site: 'guerrillamail.com' });
    expect(json).toMatchObject({
      email_addr: 'quiet-fox@mayfly.test',
      sid_token: sid,
      alias: 'quiet-fox',
      alias_error: '',
      site: 'mayfly.test',
      site_id: 1,
      auth,
      email_timestamp: expect.any(Number),
    });
    expect(await harness.store.mail.findLiveSession(address)).toBeUndefined();
    const posted = await ask(harness, '/ajax.php', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `f=set_email_user&email_user=brisk-owl%40elsewhere.test&sid_token=${sid}`,
    });
    expect(posted.json.email_addr).toBe('brisk-owl@mayfly.test');
    expect((await run('check_email', { seq: '0' })).json).toMatchObject({
      email: 'brisk-owl@mayfly.test',
      list: [{ mail_subject: 'before' }],
    });
  });

  it('creates a session with that name if there is none', async () => {
    const harness = await startCompat();
    const { json } = await call(harness, 'set_email_user', { email_user: 'quiet-fox' });
    expect(json.email_addr).toBe('quiet-fox@mayfly.test');
    expect((await call(harness, 'check_email', { seq: '0', sid_token: json.sid_token })).status).toBe(200);
  });

  it('refuses a taken, reserved or invalid name, in its own form', async () => {
    const { harness, address, run } = await startWithSession();
    await harness.lend('held');
    const codes: unknown[] = [];
    for (const name of ['held', 'postmaster', 'no name', '']) {
      const { status, json } = await run('set_email_user', { email_user: name });
      codes.push([status, json.auth]);
    }
    expect(codes).toEqual([
      [409, { success: false, error_codes: ['address_taken'] }],
      [403, { success: false, error_codes: ['reserved_prefix'] }],
      [400, { success: false, error_codes: ['invalid_prefix'] }],
      [400, { success: false, error_codes: ['missing_parameter'] }],
    ]);
    expect((await run('get_email_address')).json.email_addr).toBe(address);
  });

  it('leaves a capture session its address', async () => {
    const harness = await startCompat();
    const { token } = await harness.services.createCaptureSession({});
    const { status, json } = await call(harness, 'set_email_user', { sid_token: token, email_user: 'fox' });
    expect([status, json.auth.error_codes]).toEqual([409, ['address_is_fixed']]);
  });
});

describe('lists', () => {
  it('begin empty, without a welcome message', async () => {
    const { sid, address, run } = await startWithSession();
    const { json } = await run('check_email', { seq: '0' });
    expect(json).toEqual({
      list: [],
      count: '0',
      email: address,
      alias: address.split('@')[0],
      sid_token: sid,
      ts: expect.any(Number),
      stats: emptyStats,
      auth,
    });
  });

  it('show a message with numbers as strings, and subject and excerpt as escaped HTML', async () => {
    const { deliver, run } = await startWithSession();
    const id = await deliver(mailOf('<b>"Tom" & Ann\'s</b>', '<i>& more</i>'));
    const { json } = await run('get_email_list', { offset: '0' });
    expect(json.list).toEqual([
      {
        mail_id: String(id),
        mail_from: 'ann@example.org',
        mail_read: '0',
        att: '0',
        mail_subject: '&lt;b&gt;&quot;Tom&quot; &amp; Ann&#039;s&lt;/b&gt;',
        mail_excerpt: '&lt;i&gt;&amp; more&lt;/i&gt;',
        mail_timestamp: expect.stringMatching(/^\d{10}$/),
        mail_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        mail_size: expect.stringMatching(/^\d+$/),
        mail_recipient: expect.stringMatching(/@mayfly\.test$/),
      },
    ]);
    expect(json.count).toBe('1');
  });

  it('continue from seq, twenty at a time without a gap, and back from it', async () => {
    const { deliver, run } = await startWithSession();
    for (let count = 1; count <= 45; count++) await deliver(mailOf(`No ${count}`));
    const ids = async (f: string, given: Record<string, string> = {}): Promise<number[]> =>
      (await run(f, given)).json.list.map(({ mail_id: id }: { mail_id: string }) => Number(id));
    const span = (newest: number, oldest: number): number[] =>
      Array.from({ length: newest - oldest + 1 }, (_, at) => newest - at);
    expect(await ids('check_email', { seq: '0' })).toEqual(span(20, 1));
    expect(await ids('check_email', { seq: '20' })).toEqual(span(40, 21));
    expect((await run('check_email', { seq: '20' })).json.count).toBe('25');
    expect(await ids('check_email', { seq: '45' })).toEqual([]);
    expect(await ids('get_email_list', { offset: '0' })).toEqual(span(45, 26));
    expect(await ids('get_email_list', { offset: '40' })).toEqual(span(5, 1));
    expect(await ids('get_email_list', { offset: '0', seq: '43' })).toEqual([45, 44]);
    expect(await ids('get_older_list', { seq: '10', limit: '3' })).toEqual([9, 8, 7]);
    expect(await ids('get_older_list', { seq: '44', limit: '999' })).toEqual(span(43, 24));
    expect((await run('get_email_list', { offset: '0' })).json.count).toBe('45');
  });

  it.each(['seq', 'offset'])('refuse a %s that is not a number', async (name) => {
    const { run } = await startWithSession();
    const { status, json } = await run('get_email_list', { [name]: '-1; DROP' });
    expect([status, json.auth]).toEqual([400, { success: false, error_codes: ['invalid_parameter'] }]);
    expect(json.error).toContain(name);
  });
});

describe('fetch_email', () => {
  it('returns the message with sanitised HTML, and marks it read', async () => {
    const { sid, deliver, run } = await startWithSession();
    const html =
      '<p onclick="x()">Hello <a href="https://example.org/go?a=1">go</a></p><script>alert(1)</script>' +
      '<img src="https://track.example/p.gif"><iframe src="https://evil.example"></iframe>';
    const id = await deliver(
      `From: ann@example.org\r\nReply-To: re@example.org\r\nSubject: S\r\nContent-Type: text/html\r\n\r\n${html}\r\n`,
    );
    const { json } = await run('fetch_email', { email_id: String(id) });
    const shown = { mail_id: String(id), mail_subject: 'S', mail_read: '1', content_type: 'text/html' };
    expect(json).toMatchObject(shown);
    expect(json).toMatchObject({ reply_to: 're@example.org', sid_token: sid, auth });
    expect(json.size).toEqual(expect.any(Number));
    expect(json.mail_body).toContain('href="https://example.org/go?a=1"');
    for (const part of ['script', 'onclick', 'iframe', 'track.example', 'alert']) {
      expect(json.mail_body).not.toContain(part);
    }
    expect((await run('check_email', { seq: '0' })).json.list[0].mail_read).toBe('1');
  });

  it('escapes the markup in a message that is text', async () => {
    const { deliver, run } = await startWithSession();
    const id = await deliver(mailOf('S', '<script>alert(1)</script>\r\nYour code is 482913'));
    const { json } = await run('fetch_email', { email_id: String(id) });
    expect(json.content_type).toBe('text/plain');
    expect(json.mail_body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(json.mail_body).toContain('Your code is 482913');
  });

  it.each(['999', '0', '-1', 'x', '1e9', ''])('returns false for %j', async (id) => {
    const { deliver, run } = await startWithSession();
    await deliver(mailOf('S'));
    const { status, json } = await run('fetch_email', { email_id: id });
    expect([status, json]).toEqual([200, false]);
  });

  it('shows nothing of another session', async () => {
    const { harness, deliver } = await startWithSession();
    const id = await deliver(mailOf('secret'));
    const { token } = await harness.lend('stranger');
    const given = { sid_token: token, email_id: String(id), seq: '0', 'email_ids[]': String(id) };
    expect((await call(harness, 'fetch_email', given)).json).toBe(false);
    expect((await call(harness, 'check_email', given)).json.list).toEqual([]);
    expect((await call(harness, 'del_email', given)).json.deleted_ids).toEqual([]);
  });
});

describe('del_email', () => {
  it.each([
    ['email_ids[]', ['email_ids[]', 'email_ids[]', 'email_ids[]']],
    ['numbered', ['email_ids[0]', 'email_ids[1]', 'email_ids[2]']],
    ['plain', ['email_ids', 'email_ids', 'email_ids']],
  ])('deletes existing messages of the ids, named %s, in GET and in a form', async (_, names) => {
    const { harness, sid, deliver, run } = await startWithSession();
    const ids = [await deliver(mailOf('a')), await deliver(mailOf('b')), await deliver(mailOf('c'))];
    const pairs = ['1', '77', 'x'].map((id, at): [string, string] => [names[at]!, id]);
    const got = await call(harness, 'del_email', [['sid_token', sid], ...pairs]);
    expect(got.json.deleted_ids).toEqual(['1']);
    const body = new URLSearchParams([
      ['f', 'del_email'],
      ['sid_token', sid],
      [names[0]!, '2'],
    ]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const posted = await ask(harness, '/ajax.php', { method: 'POST', headers, body });
    expect(posted.json.deleted_ids).toEqual(['2']);
    expect((await run('check_email', { seq: '0' })).json.list).toMatchObject([{ mail_id: String(ids[2]) }]);
  });

  it('refuses more than a thousand ids', async () => {
    const { harness, sid } = await startWithSession();
    const ids = Array.from({ length: 1001 }, (_, at): [string, string] => ['email_ids[]', String(at)]);
    const body = new URLSearchParams([['f', 'del_email'], ['sid_token', sid], ...ids]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, json } = await ask(harness, '/ajax.php', { method: 'POST', headers, body });
    expect([status, json.auth.error_codes]).toEqual([400, ['invalid_parameter']]);
  });
});

it('extend gives the address another hour, and reports whether that changed it', async () => {
  const { harness, sid, session, run } = await startWithSession();
  await harness.store.mail.extendSession(session.key, 2 * hour * 1000);
  const late = (await run('extend')).json;
  expect(late).toEqual({ expired: false, email_timestamp: expect.any(Number), affected: 0, sid_token: sid });
  const { token } = (await harness.services.createSession({ lifetimeSeconds: 60 })) as { token: string };
  const { json } = await call(harness, 'extend', { sid_token: token });
  expect(json).toMatchObject({ expired: false, affected: 1 });
  expect(Math.abs(json.email_timestamp - Date.now() / 1000)).toBeLessThan(60);
});

describe('the caller', () => {
  it('must be identified by a valid token', async () => {
    const { harness, sid } = await startWithSession();
    for (const f of [
      'check_email',
      'get_email_list',
      'get_older_list',
      'fetch_email',
      'del_email',
      'forget_me',
    ]) {
      const none = await call(harness, f);
      expect([none.status, none.json.auth]).toEqual([
        401,
        { success: false, error_codes: ['missing_token'] },
      ]);
      expect(none.headers['www-authenticate']).toBe('Basic realm="Mayfly"');
      const wrong = await call(harness, f, { sid_token: `${sid.slice(0, -4)}AAAA` });
      expect([wrong.status, wrong.json.auth.error_codes]).toEqual([401, ['unknown_token']]);
    }
  });

  it('counts when it is wrong, also where a session would be created', async () => {
    const harness = await startCompat({ access: { rates: { authFailuresPerMinute: 3 } } });
    const statuses: number[] = [];
    for (let at = 0; at < 5; at++) {
      const sid = `mf_${String(at).repeat(43)}`;
      statuses.push((await call(harness, 'get_email_address', { sid_token: sid })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('may be the listener’s session, which cannot be forgotten', async () => {
    const harness = await startCompat({
      defaultSession: ({ services }) => {
        const lent = services.createSession({ prefix: 'standing' });
        return async () => services.authenticateToken((await lent).token);
      },
    });
    expect((await call(harness, 'check_email', { seq: '0' })).json.email).toBe('standing@mayfly.test');
    expect((await call(harness, 'forget_me')).status).toBe(401);
    expect((await call(harness, 'get_email_address')).json.email_addr).not.toBe('standing@mayfly.test');
  });

  it('is not a page of another site, by its Origin or by its browser’s fetch metadata', async () => {
    const { harness, sid, run } = await startWithSession();
    const cookie = `PHPSESSID=${sid}`;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
    ]) {
      const { status, json } = await call(harness, 'forget_me', {}, { cookie, ...headers });
      expect([status, json.auth.success]).toEqual([403, false]);
    }
    expect((await run('check_email', { seq: '0' })).status).toBe(200);
    expect((await call(harness, 'check_email', {}, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(
      200,
    );
  });
});

it('refuses an unknown function, none, a body of another type, HEAD and another path, in its own form', async () => {
  const { harness, sid, run } = await startWithSession();
  const post = (type: string, body: string): Promise<HttpAnswer> =>
    ask(harness, `/ajax.php?f=check_email&sid_token=${sid}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
  const answers = [
    await run('get_everything'),
    await ask(harness, '/ajax.php'),
    await post('application/json', '{"seq":0}'),
    await post('application/x-www-form-urlencoded', `x=${'y'.repeat(300_000)}`),
    await ask(harness, `/ajax.php?f=check_email&sid_token=${sid}`, { method: 'DELETE' }),
  ];
  expect(answers.map(({ status, json }) => [status, json.auth.error_codes[0]])).toEqual([
    [400, 'invalid_parameter'],
    [400, 'missing_parameter'],
    [415, 'unsupported_media_type'],
    [413, 'body_too_large'],
    [405, 'method_not_allowed'],
  ]);
  const head = await ask(harness, `/ajax.php?f=forget_me&sid_token=${sid}`, { method: 'HEAD' });
  expect(head.status).toBe(405);
  expect((await run('check_email')).status).toBe(200);
  expect(guerrilla.owns('/ajax.php')).toBe(true);
});

it('never logs the token', async () => {
  const { harness, sid, run } = await startWithSession();
  await run('get_everything');
  await call(harness, 'check_email', { sid_token: `${sid}x` });
  expect(JSON.stringify(harness.logged)).not.toContain(sid.slice(3, 20));
});
